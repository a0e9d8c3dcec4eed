/// The tables of a shared history in PostgreSQL 14 or newer.
package enum PostgresSchema {
  /// What writers and readers find in `clanky.meta`. Version 2 has what a replay needs: the order of arrival, documents,
  /// and what recorders heard of the connection.
  static let version = 2

  /// Makes everything that is missing, in a database of version 1 too. `body` is text: `jsonb` refuses lone surrogates and NUL, which both come.
  package static let sql = """
    create schema if not exists clanky;
    create table if not exists clanky.meta(key text primary key, value text not null);
    insert into clanky.meta values ('version', '\(version)') on conflict do nothing;
    create table if not exists clanky.bot(
      id smallint generated always as identity primary key, name text not null unique,
      fingerprint bytea not null unique, first_seen timestamptz not null default now());
    create table if not exists clanky.action(
      bot smallint not null references clanky.bot, at timestamptz(3) not null, key uuid not null,
      xid xid8 not null default pg_current_xact_id(), seen timestamptz(3) not null default now(),
      action_id bigint, kind text not null, event text, guild text, channel text, message text,
      person text, session text, cost_nanos bigint not null default 0, duration_ms bigint,
      failed boolean not null default false, words text, body text compression lz4,
      tsv tsvector generated always as (to_tsvector('simple', coalesce(words, ''))) stored,
      primary key (bot, at, key)) partition by range (at);
    create table if not exists clanky.action_rest partition of clanky.action default;
    create index if not exists action_tsv on clanky.action using gin(tsv);
    create index if not exists action_kind on clanky.action(bot, kind, at desc);
    create index if not exists action_person on clanky.action(person, at desc) where person is not null;
    create index if not exists action_session on clanky.action(session, at) where session is not null;
    create index if not exists action_xid on clanky.action(xid);
    alter table clanky.action add column if not exists seq bigint not null default 0;
    alter table clanky.action add column if not exists arrived timestamptz(3);
    alter table clanky.action add column if not exists origins smallint not null default 1;
    alter table clanky.action add column if not exists voice boolean not null default false;
    alter table clanky.action add column if not exists terms text;
    do $$ begin if (select value::int from clanky.meta where key = 'version') < 2 then
      update clanky.action set voice = kind like 'voice%', terms = trim(regexp_replace(
        lower(left(coalesce(words, ''), 60000)), '[^[:alnum:]]+', ' ', 'g')) where terms is null;
    end if; end $$;
    alter table clanky.action add column if not exists lexemes tsvector generated always as
      (array_to_tsvector(string_to_array(terms, ' '))) stored;
    create index if not exists action_lexemes on clanky.action using gin(lexemes);
    create index if not exists action_id on clanky.action(bot, action_id) where action_id is not null;
    create table if not exists clanky.document(
      bot smallint not null references clanky.bot, name text not null, at timestamptz(3) not null,
      recorder text not null, id bigint not null, seq bigint not null,
      arrived timestamptz(3) not null, base timestamptz(3), body bytea not null, primary key (bot, name, at, recorder));
    create index if not exists document_at on clanky.document(bot, at);
    create table if not exists clanky.link(
      bot smallint not null references clanky.bot, recorder text not null, part text not null,
      id bigint not null, at timestamptz(3) not null, seq bigint not null,
      arrived timestamptz(3) not null, what text not null, value text not null,
      primary key (bot, recorder, part, id));
    create index if not exists link_at on clanky.link(bot, at);
    create index if not exists link_what on clanky.link(bot, what, at);
    create or replace view clanky.outage as
      select bot, 'epoch'::timestamptz + (value::json->>'from_ms')::bigint * interval '1 ms' as from_at,
        'epoch'::timestamptz + (value::json->>'to_ms')::bigint * interval '1 ms' as to_at,
        value::json->>'why' as why, recorder
      from clanky.link where what = 'outage';
    update clanky.meta set value = '\(version)' where key = 'version' and value::int < \(version);
    create or replace function clanky.make_partition(month date) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      execute format(
        'create table if not exists clanky.action_%s partition of clanky.action for values from (%L) to (%L)',
        to_char(month, 'YYYY_MM'), date_trunc('month', month)::date,
        (date_trunc('month', month) + interval '1 month')::date);
    exception when check_violation or invalid_object_definition or duplicate_table then
      null;  -- Rows of this month are in the default partition already.
    end $$;
    revoke execute on function clanky.make_partition(date) from public;
    do $$ begin create role clanky_write; exception when duplicate_object then null; end $$;
    do $$ begin create role clanky_read; exception when duplicate_object then null; end $$;
    grant usage on schema clanky to clanky_write, clanky_read;
    grant select, insert on all tables in schema clanky to clanky_write;
    grant update(action_id) on clanky.action to clanky_write;
    grant execute on function clanky.make_partition(date) to clanky_write;
    grant select on all tables in schema clanky to clanky_read;
    """

  /// Why a database of another version is left alone; nil for this version.
  ///
  /// - Parameter found: nil if there is none.
  static func problem(_ found: Int?) -> String? {
    guard let found else { return "the database has no schema clanky; 'sinks init' makes it" }
    if found > version { return "the database has a newer schema; update this program first" }
    return found < version
      ? "the database has schema \(found); 'sinks init' brings it to \(version)" : nil
  }
}
