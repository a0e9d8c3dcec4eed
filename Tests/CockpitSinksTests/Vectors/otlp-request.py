#!/usr/bin/env python3
"""Writes otlp-request.hex with the official descriptors (pip install opentelemetry-proto); with a file of requests as an
argument, one hexadecimal line each, prints their spans as JSON instead."""
import json, os, sys
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2

if len(sys.argv) > 1:
    spans = []
    for line in open(sys.argv[1]):
        request = ExportTraceServiceRequest.FromString(bytes.fromhex(line.strip()))
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    spans.append({
                        "resource": {a.key: a.value.string_value for a in resource.resource.attributes},
                        "scope": scope.scope.name, "version": scope.scope.version, "schema": scope.schema_url,
                        "trace": span.trace_id.hex(), "span": span.span_id.hex(), "parent": span.parent_span_id.hex(),
                        "name": span.name, "kind": span.kind, "start": span.start_time_unix_nano // 1000000,
                        "end": span.end_time_unix_nano // 1000000, "status": span.status.code, "message": span.status.message,
                        "attributes": {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes},
                        "events": [e.name for e in span.events]})
    print(json.dumps(spans))
    sys.exit()

request = ExportTraceServiceRequest()
resource = request.resource_spans.add()


def add(attributes, key, **value):
    attribute = attributes.add(key=key)
    for name, content in value.items():
        setattr(attribute.value, name, content)


add(resource.resource.attributes, "service.name", string_value="clanky")
scope = resource.scope_spans.add(schema_url="https://opentelemetry.io/schemas/gen-ai/0.1.0")
scope.scope.name = "clanky-cockpit"
scope.scope.version = "0.1.0"
span = scope.spans.add(
    trace_id=bytes(range(16)), span_id=bytes(range(8)), name="invoke_agent Käse", kind=trace_pb2.Span.SPAN_KIND_INTERNAL,
    start_time_unix_nano=1790000000000000001, end_time_unix_nano=1790000001000000001)
add(span.attributes, "text", string_value="")
add(span.attributes, "number", int_value=-7)
add(span.attributes, "zero", int_value=0)
add(span.attributes, "big", int_value=9007199254740993)
add(span.attributes, "cost", double_value=0.0084)
add(span.attributes, "yes", bool_value=True)
add(span.attributes, "no", bool_value=False)
event = span.events.add(time_unix_nano=1790000000500000000, name="exception")
add(event.attributes, "exception.message", string_value="x" * 300)
span.status.message = "failed"
span.status.code = trace_pb2.Status.STATUS_CODE_ERROR
span = scope.spans.add(
    trace_id=bytes(range(16)), span_id=bytes(range(8, 16)), parent_span_id=bytes(range(8)), name="chat opus",
    kind=trace_pb2.Span.SPAN_KIND_CLIENT, start_time_unix_nano=1, end_time_unix_nano=2)
with open(os.path.join(os.path.dirname(__file__), "otlp-request.hex"), "w") as file:
    file.write(request.SerializeToString().hex() + "\n")
