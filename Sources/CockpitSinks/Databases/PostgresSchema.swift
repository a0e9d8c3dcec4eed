/// The tables of a shared history in PostgreSQL 14 or newer.
package enum PostgresSchema {
  /// What a writer finds in `clanky.meta`; a newer one is not written to.
  static let version = 1

  /// Makes everything that is missing. `body` is text: `jsonb` refuses lone surrogates and NUL, which both come.
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
}
