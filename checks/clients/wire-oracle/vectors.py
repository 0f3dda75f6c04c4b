"""Writes packages/wire/test/vectors: messages, codes and requests, made from the field numbers of the protocols.

It shares no code with the package. Usage: python3 wire-oracle/vectors.py
"""

import base64
import hashlib
import json
import math
import pathlib
import subprocess
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
OUTPUT = ROOT / "packages/wire/test/vectors"
SOURCE = "Written by checks/clients/wire-oracle/vectors.py from "


# Protobuf

def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def num(field, value):
    return varint(field << 3) + varint(value)


def fix(field, value):
    return varint(field << 3 | 1) + value.to_bytes(8, "little")


def data(field, value):
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


def packed(field, values):
    return data(field, b"".join(map(varint, values)))


def dur(field, seconds, nanos=0):
    return data(field, (num(1, seconds) if seconds else b"") + (num(2, nanos) if nanos else b""))


def H(value):
    return {"hex": value.hex() if isinstance(value, bytes) else value}


def BIG(value):
    return {"bigint": str(value)}


def b64(value):
    return base64.b64encode(value).decode()


def write(name, source, cases):
    path = OUTPUT / f"{name}.json"
    lines = ",\n".join("    " + json.dumps(case, ensure_ascii=False) for case in cases)
    path.write_text(f'{{\n  "source": {json.dumps(SOURCE + source)},\n  "cases": [\n{lines}\n  ]\n}}\n')
    print(name, len(cases))


# Rice

def rice(values, parameter):
    bits = []
    for before, after in zip(values, values[1:]):
        delta = after - before
        bits += [1] * (delta >> parameter) + [0]
        bits += [delta >> k & 1 for k in range(parameter)]
    out = bytearray((len(bits) + 7) // 8)
    for i, bit in enumerate(bits):
        out[i // 8] |= bit << i % 8
    return bytes(out)


def best(values, width=32, least=3, most=30):
    """floor(log2(2 ln(golden ratio) * mean delta)), by the first 32 bits."""
    top = width - 32
    deltas = len(values) - 1
    spread = (values[-1] >> top) - (values[0] >> top)
    if deltas == 0 or spread == 0:
        return least + top
    ideal = math.floor(math.log2(2 * math.log((1 + math.sqrt(5)) / 2) * spread / deltas))
    return max(least, min(most, ideal)) + top


def rice_vectors():
    cases = []
    for width in (32, 64, 128, 256):
        section = f"RiceDeltaEncoded{width}Bit"
        size = width // 8
        top = 2**width - 1
        low, high = width - 29, width - 2
        spread = sorted(int.from_bytes(hashlib.sha256(b"%d" % i).digest()[:size], "big") for i in range(20))

        def case(what, values, parameter=None, **more):
            k = best(values, width) if parameter is None else parameter
            coded = {
                "first": H(values[0].to_bytes(size, "big")),
                "riceParameter": k,
                "entriesCount": len(values) - 1,
                "encodedData": H(rice(values, k)),
            }
            expected = [value.to_bytes(size, "big").hex() for value in values]
            entry = {"input": {"what": what, "prefixBytes": size, **coded, **more.pop("coded", {})}}
            entry.update(more if "error" in more else {"expected": expected, **more})
            entry["section"] = section
            cases.append(entry)

        case("one value, 0", [0])
        case("one value, the largest", [top])
        case("first and last value", [0, top])
        case("0 and 1", [0, 1])
        case("the two largest", [top - 1, top])
        case("neighbours", list(range(100, 120)))
        case("evenly spread", spread)
        case("evenly spread from 0 to the largest", [0] + spread + [top])
        case("a gap beyond the parameter", [0, 1, 2, 3, 2 ** (width - 1)])
        case("a gap of 32 ones in unary", [5, 6, 6 + (32 << low), 7 + (32 << low)], low, readOnly=True)
        case("a gap of 33 ones in unary", [5, 6, 6 + (33 << low), 7 + (33 << low)], low, readOnly=True)
        case("the smallest parameter", [7, 8, 10, 2**low + 10], low, readOnly=True)
        case("the largest parameter", [7, 2**high, 3 * 2**high + 5], high, readOnly=True)
        case("the largest quotient of the largest parameter", [0, top], high, readOnly=True)
        case("one value, the largest parameter", [9], high, readOnly=True)
        case("parameter below the range", [7, 8], low - 1, error="rice-parameter-wrong")
        case("parameter above the range", [7, 8], high + 1, error="rice-parameter-wrong")
        case("parameter 0 with one value", [7], 0, error="rice-parameter-wrong")
        case("a negative count", [7, 8], coded={"entriesCount": -1}, error="rice-count-wrong")
        case("more values than bits", [7, 8], coded={"entriesCount": 2**31 - 1}, error="rice-count-wrong")
        good = rice([7, 8, 9], low)
        case("codes cut off", [7, 8, 9], low, coded={"encodedData": H(good[:-1])}, error="rice-count-wrong")
        ones = b"\xff" * len(good)
        case("unary without end", [7, 8, 9], low, coded={"encodedData": H(ones)}, error="rice-data-damaged")
        more = {"encodedData": H(good + b"\0")}
        case("a byte too many", [7, 8, 9], low, coded=more, error="rice-data-damaged")
        case("a byte beside one value", [7], coded={"encodedData": H(b"\0")}, error="rice-data-damaged")
        used = 2 * (low + 1)
        if used % 8:
            filled = good[:-1] + bytes([good[-1] | 0x80])
            case("filling that is not 0", [7, 8, 9], low, coded={"encodedData": H(filled)}, error="rice-data-damaged")
        case("a value beyond the width", [7, 8, 9], low, coded={"first": H(top.to_bytes(size, "big"))}, error="rice-data-damaged")
        wide = rice([0, 2**width + 1], high)
        case("a quotient beyond the width", [0, 1], high, coded={"encodedData": H(wide)}, error="rice-data-damaged")
        same = rice([7, 7], low)
        case("a value twice", [7, 8], low, coded={"encodedData": H(same)}, error="additions-unordered")
    write("rice", "section 2 of the coding: Safe Browsing v5, Rice-delta encoding", cases)


# Messages

def message_vectors():
    cases = []

    def message(method, side, proto, text, record, *, proto_reads=(), json_reads=()):
        base = {"method": method, "side": side}
        section = f"{method}, {side}"

        def add(form, content, **more):
            key = "hex" if form == "protobuf" else "text"
            cases.append({"input": {**base, "form": form, key: content}, "expected": record, "section": section, **more})

        add("protobuf", proto.hex())
        add("json", text)
        for other in proto_reads:
            add("protobuf", other.hex(), readOnly=True)
        for other in json_reads:
            add("json", other, readOnly=True)
        # Fields that later versions of a protocol may add are skipped.
        unknown = num(500, 7) + proto + data(501, b"new") + fix(502, 1) + varint(503 << 3 | 5) + bytes(4)
        add("protobuf", unknown.hex(), readOnly=True)
        add("json", json.dumps({"later": [{"a": 1}], **json.loads(text)}), readOnly=True)

    def refused(method, side, form, content, error, section):
        key = "hex" if form == "protobuf" else "text"
        text = content.hex() if form == "protobuf" else content
        cases.append({"input": {"method": method, "side": side, "form": form, key: text}, "error": error, "section": section})

    four = b"\xfb\xef\xff\x01"
    hash32 = bytes(range(32))
    v5 = "v5.hashLists.batchGet"
    message(
        v5, "request",
        data(1, "mw-4b") + data(1, "se-4b") + data(2, four) + data(4, num(1, 2048) + num(2, 4096)),
        json.dumps({"names": ["mw-4b", "se-4b"], "version": [b64(four)], "sizeConstraints": {"maxUpdateEntries": 2048, "maxDatabaseEntries": 4096}}),
        {"names": ["mw-4b", "se-4b"], "version": [H(four)], "sizeConstraints": {"maxUpdateEntries": 2048, "maxDatabaseEntries": 4096}},
        proto_reads=[
            # Fields in another order, and a message in two parts.
            data(4, num(2, 4096)) + data(2, four) + data(1, "mw-4b") + data(4, num(1, 2048)) + data(1, "se-4b"),
        ],
        json_reads=[
            json.dumps({"names": ["mw-4b", "se-4b"], "version": ["--__AQ"], "size_constraints": {"max_update_entries": "2048", "max_database_entries": 4096.0}}),
        ],
    )
    message(
        v5, "request", data(1, "mw-4b") + data(2, b""),
        json.dumps({"names": ["mw-4b"], "version": [""]}),
        {"names": ["mw-4b"], "version": [H(b"")], "sizeConstraints": None},
    )
    refused(v5, "request", "protobuf", b"", "names-missing", "BatchGetHashListsRequest.names")
    refused(v5, "request", "protobuf", data(1, "a") + data(1, "a"), "name-repeated", "BatchGetHashListsRequest.names")
    refused(v5, "request", "protobuf", data(1, "a") + data(4, num(1, 1023)), "constraint-invalid", "SizeConstraints.max_update_entries")
    refused(v5, "request", "protobuf", data(1, "a") + data(4, num(2, -1)), "constraint-invalid", "SizeConstraints.max_database_entries")
    refused(v5, "request", "json", '{"names":["a"],"sizeConstraints":{"maxUpdateEntries":-5}}', "constraint-invalid", "SizeConstraints")

    empty_list = {
        "name": "", "version": H(b""), "partialUpdate": False, "additionsFourBytes": None, "additionsEightBytes": None,
        "additionsSixteenBytes": None, "additionsThirtyTwoBytes": None, "compressedRemovals": None,
        "minimumWaitDuration": None, "sha256Checksum": H(b""), "metadata": None,
    }
    rice32 = num(1, 5) + num(2, 3) + num(3, 1) + data(4, b"\x1e\x00")
    rice32_json = {"firstValue": 5, "riceParameter": 3, "entriesCount": 1, "encodedData": "HgA="}
    rice32_record = {"firstValue": 5, "riceParameter": 3, "entriesCount": 1, "encodedData": H(b"\x1e\x00")}
    for field, name, proto, text, record in (
        (4, "additionsFourBytes", rice32, rice32_json, rice32_record),
        (4, "additionsFourBytes", num(1, 2**32 - 1) + num(2, 30), {"firstValue": 2**32 - 1, "riceParameter": 30}, {"firstValue": 2**32 - 1, "riceParameter": 30, "entriesCount": 0, "encodedData": H(b"")}),
        (9, "additionsEightBytes", num(1, 2**64 - 1) + num(2, 35), {"firstValue": str(2**64 - 1), "riceParameter": 35}, {"firstValue": BIG(2**64 - 1), "riceParameter": 35, "entriesCount": 0, "encodedData": H(b"")}),
        (9, "additionsEightBytes", num(1, 7) + num(2, 62), {"firstValue": "7", "riceParameter": 62}, {"firstValue": BIG(7), "riceParameter": 62, "entriesCount": 0, "encodedData": H(b"")}),
        (10, "additionsSixteenBytes", num(1, 1) + fix(2, 2**63) + num(3, 99), {"firstValueHi": "1", "firstValueLo": str(2**63), "riceParameter": 99}, {"firstValueHi": BIG(1), "firstValueLo": BIG(2**63), "riceParameter": 99, "entriesCount": 0, "encodedData": H(b"")}),
        (11, "additionsThirtyTwoBytes", num(1, 1) + fix(2, 2) + fix(3, 3) + fix(4, 4) + num(5, 227), {"firstValueFirstPart": "1", "firstValueSecondPart": "2", "firstValueThirdPart": "3", "firstValueFourthPart": "4", "riceParameter": 227}, {"firstValueFirstPart": BIG(1), "firstValueSecondPart": BIG(2), "firstValueThirdPart": BIG(3), "firstValueFourthPart": BIG(4), "riceParameter": 227, "entriesCount": 0, "encodedData": H(b"")}),
        (11, "additionsThirtyTwoBytes", num(5, 254), {"riceParameter": 254}, {"firstValueFirstPart": BIG(0), "firstValueSecondPart": BIG(0), "firstValueThirdPart": BIG(0), "firstValueFourthPart": BIG(0), "riceParameter": 254, "entriesCount": 0, "encodedData": H(b"")}),
    ):
        head = data(1, "x") + data(2, b"\x01") + num(3, 1)
        tail = dur(6, 1800) + data(7, hash32)
        low_field = data(field, proto)
        removals = data(5, num(2, 3))
        body = head + (low_field if field < 5 else b"") + removals + tail + (low_field if field > 5 else b"")
        full = {"name": "x", "version": "AQ==", "partialUpdate": True, name: text, "compressedRemovals": {"riceParameter": 3}, "minimumWaitDuration": "1800s", "sha256Checksum": b64(hash32)}
        result = {**empty_list, "name": "x", "version": H(b"\x01"), "partialUpdate": True, name: record, "compressedRemovals": {"firstValue": 0, "riceParameter": 3, "entriesCount": 0, "encodedData": H(b"")}, "minimumWaitDuration": 1800000, "sha256Checksum": H(hash32)}
        message("v5.hashList.get", "response", body, json.dumps(full), result)
    message(v5, "response", data(1, data(1, "mw-4b")) + data(1, data(1, "se-4b") + dur(6, 0)),
        json.dumps({"hashLists": [{"name": "mw-4b"}, {"name": "se-4b", "minimumWaitDuration": "0s"}]}),
        {"hashLists": [{**empty_list, "name": "mw-4b"}, {**empty_list, "name": "se-4b", "minimumWaitDuration": 0}]})
    message("v5.hashList.get", "request", data(1, "gc-32b") + data(2, four) + data(4, num(1, 1024)),
        json.dumps({"name": "gc-32b", "version": b64(four), "sizeConstraints": {"maxUpdateEntries": 1024}}),
        {"name": "gc-32b", "version": H(four), "sizeConstraints": {"maxUpdateEntries": 1024, "maxDatabaseEntries": 0}})
    refused("v5.hashList.get", "request", "json", "{}", "names-missing", "GetHashListRequest.name")
    refused("v5.hashList.get", "response", "protobuf", data(6, num(1, -1)), "duration-invalid", "HashList.minimum_wait_duration")
    refused("v5.hashList.get", "response", "protobuf", data(6, num(1, 315_576_000_001)), "duration-invalid", "google/protobuf/duration.proto")
    refused("v5.hashList.get", "response", "protobuf", data(6, num(2, 1_000_000_000)), "duration-invalid", "google/protobuf/duration.proto")
    refused("v5.hashList.get", "response", "json", '{"additionsFourBytes":{},"additionsEightBytes":{}}', "fields-conflict", "HashList.compressed_additions")
    two = data(4, rice32) + data(9, num(2, 35))
    cases.append({"input": {"method": "v5.hashList.get", "side": "response", "form": "protobuf", "hex": two.hex()}, "expected": {**empty_list, "additionsEightBytes": {"firstValue": BIG(0), "riceParameter": 35, "entriesCount": 0, "encodedData": H(b"")}}, "readOnly": True, "section": "of a oneof the last field counts"})

    message("v5.hashLists.list", "request", num(1, 20) + data(2, "t"), '{"pageSize": 20, "pageToken": "t"}', {"pageSize": 20, "pageToken": "t"}, json_reads=['{"page_size": "20", "page_token": "t", "pageSizes": 1}'])
    message("v5.hashLists.list", "request", b"", "{}", {"pageSize": 0, "pageToken": ""}, json_reads=['{"pageSize": null, "pageToken": ""}', '{"pageSize": 0}', '{"constructor": 1, "__proto__": {"pageSize": 3}}'])
    meta = packed(1, [1, 4]) + data(4, "bad apps") + num(6, 2)
    safe = packed(2, [1, 2, 3]) + num(6, 5)
    meta_record = {"threatTypes": ["MALWARE", "POTENTIALLY_HARMFUL_APPLICATION"], "likelySafeTypes": [], "description": "bad apps", "hashLength": "FOUR_BYTES"}
    safe_record = {"threatTypes": [], "likelySafeTypes": ["GENERAL_BROWSING", "CSD", "DOWNLOAD"], "description": "", "hashLength": "THIRTY_TWO_BYTES"}
    message("v5.hashLists.list", "response",
        data(1, data(1, "mw-4b") + data(8, meta)) + data(1, data(1, "gc-32b") + data(8, safe)) + data(2, "next"),
        json.dumps({"hashLists": [{"name": "mw-4b", "metadata": {"threatTypes": ["MALWARE", "POTENTIALLY_HARMFUL_APPLICATION"], "description": "bad apps", "hashLength": "FOUR_BYTES"}}, {"name": "gc-32b", "metadata": {"likelySafeTypes": ["GENERAL_BROWSING", "CSD", "DOWNLOAD"], "hashLength": "THIRTY_TWO_BYTES"}}], "nextPageToken": "next"}),
        {"hashLists": [{**empty_list, "name": "mw-4b", "metadata": meta_record}, {**empty_list, "name": "gc-32b", "metadata": safe_record}], "nextPageToken": "next"},
        proto_reads=[data(1, data(1, "mw-4b") + data(8, num(1, 1) + num(1, 99) + packed(1, [77, 4, 0]) + data(4, "bad apps") + num(6, 2))) + data(1, data(1, "gc-32b") + data(8, safe)) + data(2, "next")],
        json_reads=[json.dumps({"hashLists": [{"name": "mw-4b", "metadata": {"threatTypes": [1, "LATER", 99, 4], "description": "bad apps", "hashLength": 2}}, {"name": "gc-32b", "metadata": {"likelySafeTypes": ["GENERAL_BROWSING", 2, "DOWNLOAD"], "hashLength": 5}}], "nextPageToken": "next"})])

    search = "v5.hashes.search"
    message(search, "request", data(1, four) + data(1, b"\0\0\0\0"), json.dumps({"hashPrefixes": [b64(four), "AAAAAA=="]}), {"hashPrefixes": [H(four), H(bytes(4))]}, json_reads=['{"hash_prefixes": ["--__AQ==", "AAAAAA"]}'])
    refused(search, "request", "protobuf", b"", "prefixes-missing", "SearchHashesRequest.hash_prefixes")
    refused(search, "request", "protobuf", data(1, b"abc"), "hash-length-wrong", "SearchHashesRequest.hash_prefixes")
    refused(search, "request", "protobuf", data(1, b"abcde"), "hash-length-wrong", "SearchHashesRequest.hash_prefixes")
    refused(search, "request", "protobuf", data(1, four) * 1001, "too-many-prefixes", "SearchHashesRequest.hash_prefixes")
    refused(search, "request", "json", '{"hashPrefixes":["AAAA*A=="]}', "base64-malformed", "ProtoJSON, bytes")
    refused(search, "request", "json", '{"hashPrefixes":["AAAAA"]}', "base64-malformed", "ProtoJSON, bytes")
    refused(search, "request", "json", '{"hashPrefixes":["AAAAA==="]}', "base64-malformed", "ProtoJSON, bytes")
    refused(search, "request", "json", '{"hashPrefixes":["AA==AA=="]}', "base64-malformed", "ProtoJSON, bytes")
    refused(search, "request", "json", '{"hashPrefixes":["AAAA\\nAA=="]}', "base64-malformed", "ProtoJSON, bytes")
    refused(search, "request", "json", '{"hashPrefixes":"AAAAAA=="}', "value-invalid", "ProtoJSON, repeated")
    refused(search, "request", "json", '{"hashPrefixes":[7]}', "value-invalid", "ProtoJSON, bytes")
    refused(search, "request", "json", "[]", "json-malformed", "ProtoJSON, message")
    refused(search, "request", "json", "null", "json-malformed", "ProtoJSON, message")
    refused(search, "request", "json", "", "json-malformed", "ProtoJSON, message")
    refused(search, "request", "json", "{", "json-malformed", "ProtoJSON, message")
    detail = num(1, 1) + packed(2, [1, 2])
    message(search, "response", data(1, data(1, hash32) + data(2, detail) + data(2, num(1, 2))) + dur(2, 593, 440_000_000),
        json.dumps({"fullHashes": [{"fullHash": b64(hash32), "fullHashDetails": [{"threatType": "MALWARE", "attributes": ["CANARY", "FRAME_ONLY"]}, {"threatType": "SOCIAL_ENGINEERING"}]}], "cacheDuration": "593.440s"}),
        {"fullHashes": [{"fullHash": H(hash32), "fullHashDetails": [{"threatType": "MALWARE", "attributes": ["CANARY", "FRAME_ONLY"]}, {"threatType": "SOCIAL_ENGINEERING", "attributes": []}]}], "cacheDuration": 593440},
        proto_reads=[
            # A detail with an unknown type or attribute is ignored as a whole.
            data(1, data(1, hash32) + data(2, num(1, 99)) + data(2, detail) + data(2, num(1, 1) + packed(2, [1, 88])) + data(2, num(1, 1) + num(2, 0)) + data(2, packed(2, [1])) + data(2, num(1, 2))) + dur(2, 593, 440_999_999),
        ],
        json_reads=[json.dumps({"fullHashes": [{"fullHash": b64(hash32), "fullHashDetails": [{"threatType": "LATER"}, {"threatType": 1, "attributes": [1, 2]}, {"threatType": "MALWARE", "attributes": ["LATER"]}, {"attributes": ["CANARY"]}, {"threatType": 2}]}], "cacheDuration": "593.44s"})])
    message(search, "response", dur(2, 300), '{"cacheDuration": "300s"}', {"fullHashes": [], "cacheDuration": 300000}, json_reads=['{"cacheDuration": "300.000000000s"}', '{"cache_duration": "300.0004s", "fullHashes": []}'])
    refused(search, "response", "protobuf", data(1, data(1, hash32[:31])), "hash-length-wrong", "FullHash.full_hash")
    for text in ("300", "-1s", "1e3s", "300 s", "s", ".5s", "1.s", "1.0000000000s", "315576000001s", ""):
        refused(search, "response", "json", json.dumps({"cacheDuration": text}), "duration-invalid", "ProtoJSON, Duration")
    refused(search, "response", "json", '{"cacheDuration": 300}', "value-invalid", "ProtoJSON, Duration")

    fetch = "v4.threatListUpdates.fetch"
    request = num(1, 5) + num(2, 2) + data(3, four) + data(4, num(1, 1024) + num(2, 2048) + data(3, "US") + num(4, 2) + num(4, 1)) + num(5, 1)
    message(fetch, "request", data(1, data(1, "navclient") + data(2, "1.5")) + data(3, request) + data(3, num(1, 77) + num(2, 0) + num(5, 1)),
        json.dumps({"client": {"clientId": "navclient", "clientVersion": "1.5"}, "listUpdateRequests": [{"threatType": "SOCIAL_ENGINEERING_INTERNAL", "platformType": "LINUX", "threatEntryType": "URL", "state": b64(four), "constraints": {"maxUpdateEntries": 1024, "maxDatabaseEntries": 2048, "region": "US", "supportedCompressions": ["RICE", "RAW"]}}, {"threatType": 77, "threatEntryType": "URL"}]}),
        {"client": {"clientId": "navclient", "clientVersion": "1.5"}, "listUpdateRequests": [{"threatType": "SOCIAL_ENGINEERING_INTERNAL", "platformType": "LINUX", "threatEntryType": "URL", "state": H(four), "constraints": {"maxUpdateEntries": 1024, "maxDatabaseEntries": 2048, "region": "US", "supportedCompressions": ["RICE", "RAW"]}}, {"threatType": 77, "platformType": None, "threatEntryType": "URL", "state": H(b""), "constraints": None}]},
        proto_reads=[
            # A packed field as Go sends it, Chromium's field 4, and client information in two parts.
            data(1, data(1, "navclient")) + data(4, b"\x08\x01") + data(3, num(5, 1) + num(1, 5) + num(2, 2) + data(3, four) + data(4, num(1, 1024) + num(2, 2048) + data(3, "US") + packed(4, [2, 9, 1]))) + data(3, num(1, 77) + num(5, 1)) + data(1, data(2, "1.5")),
        ])
    refused(fetch, "request", "protobuf", data(3, data(4, num(1, -1))), "constraint-invalid", "Constraints.max_update_entries")
    refused(fetch, "request", "protobuf", data(3, data(4, num(2, -1))), "constraint-invalid", "Constraints.max_database_entries")
    rice_first_zero = num(1, 0) + num(2, 0) + num(3, 0) + data(4, b"")
    raw = num(1, 4) + data(2, four)
    update = (
        num(1, 1) + num(2, 1) + num(3, 2) + num(4, 1)
        + data(5, num(1, 1) + data(2, raw))
        + data(5, num(1, 2) + data(4, num(1, 2**32 - 1) + num(2, 28) + num(3, 0) + data(4, b"")))
        + data(6, num(1, 2) + data(5, rice_first_zero))
        + data(6, num(1, 1) + data(3, num(1, 7) + num(1, 300)))
        + data(7, b"s") + data(8, data(1, hash32))
    )
    sets = {"rawHashes": None, "rawIndices": None, "riceHashes": None, "riceIndices": None}
    message(fetch, "response", data(1, update) + dur(2, 593, 440_000_000),
        json.dumps({"listUpdateResponses": [{"threatType": "MALWARE", "threatEntryType": "URL", "platformType": "LINUX", "responseType": "PARTIAL_UPDATE", "additions": [{"compressionType": "RAW", "rawHashes": {"prefixSize": 4, "rawHashes": b64(four)}}, {"compressionType": "RICE", "riceHashes": {"firstValue": "4294967295", "riceParameter": 28, "numEntries": 0, "encodedData": ""}}], "removals": [{"compressionType": "RICE", "riceIndices": {"firstValue": "0", "riceParameter": 0, "numEntries": 0, "encodedData": ""}}, {"compressionType": "RAW", "rawIndices": {"indices": [7, 300]}}], "newClientState": "cw==", "checksum": {"sha256": b64(hash32)}}], "minimumWaitDuration": "593.440s"}),
        {"listUpdateResponses": [{"threatType": "MALWARE", "threatEntryType": "URL", "platformType": "LINUX", "responseType": "PARTIAL_UPDATE", "additions": [{**sets, "compressionType": "RAW", "rawHashes": {"prefixSize": 4, "rawHashes": H(four)}}, {**sets, "compressionType": "RICE", "riceHashes": {"firstValue": 2**32 - 1, "riceParameter": 28, "numEntries": 0, "encodedData": H(b"")}}], "removals": [{**sets, "compressionType": "RICE", "riceIndices": {"firstValue": 0, "riceParameter": 0, "numEntries": 0, "encodedData": H(b"")}}, {**sets, "compressionType": "RAW", "rawIndices": {"indices": [7, 300]}}], "newClientState": H(b"s"), "checksum": {"sha256": H(hash32)}}], "minimumWaitDuration": 593440},
        proto_reads=[data(1, update.replace(num(1, 7) + num(1, 300), packed(1, [7, 300]))) + dur(2, 593, 440_000_000)],
        json_reads=[json.dumps({"listUpdateResponses": [{"threatType": 1, "threatEntryType": 1, "platformType": 2, "responseType": 1, "additions": [{"compressionType": 1, "rawHashes": {"prefixSize": 4, "rawHashes": "--__AQ"}}, {"compressionType": "RICE", "riceHashes": {"firstValue": 4294967295, "riceParameter": 28}}], "removals": [{"compressionType": "RICE", "riceIndices": {}}, {"compressionType": "RAW", "rawIndices": {"indices": ["7", 300]}}], "newClientState": "cw", "checksum": {"sha256": b64(hash32)}}], "minimumWaitDuration": "593.44s"})])
    refused(fetch, "response", "protobuf", data(1, data(5, data(4, num(1, 2**63)))), "value-invalid", "RiceDeltaEncoding.first_value")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"additions":[{"riceHashes":{"firstValue":"9007199254740993"}}]}]}', "value-invalid", "RiceDeltaEncoding.firstValue")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"additions":[{"riceHashes":{"riceParameter":2147483648}}]}]}', "value-invalid", "ProtoJSON, int32")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"additions":[{"riceHashes":{"riceParameter":1.5}}]}]}', "value-invalid", "ProtoJSON, int32")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"threatType":"2147483648"}]}', "value-invalid", "ProtoJSON, enum")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"threatType":1.5}]}', "value-invalid", "ProtoJSON, enum")
    refused(fetch, "response", "json", '{"listUpdateResponses":[{"threatType":true}]}', "value-invalid", "ProtoJSON, enum")
    refused(fetch, "response", "json", '{"listUpdateResponses":{}}', "value-invalid", "ProtoJSON, repeated")
    refused(fetch, "response", "json", '{"listUpdateResponses":[null]}', "value-invalid", "ProtoJSON, repeated")

    find = "v4.fullHashes.find"
    info = num(1, 1) + num(1, 5) + num(2, 2) + data(3, data(1, four)) + data(3, data(1, hash32)) + num(4, 1)
    info_record = {"threatTypes": ["MALWARE", "SOCIAL_ENGINEERING_INTERNAL"], "platformTypes": ["LINUX"], "threatEntryTypes": ["URL"], "threatEntries": [{"hash": H(four), "url": ""}, {"hash": H(hash32), "url": ""}]}
    info_json = {"threatTypes": ["MALWARE", "SOCIAL_ENGINEERING_INTERNAL"], "platformTypes": ["LINUX"], "threatEntryTypes": ["URL"], "threatEntries": [{"hash": b64(four)}, {"hash": b64(hash32)}]}
    message(find, "request", data(1, data(1, "c")) + data(2, b"s1") + data(2, b"s2") + data(3, info),
        json.dumps({"client": {"clientId": "c"}, "clientStates": ["czE=", "czI="], "threatInfo": info_json}),
        {"client": {"clientId": "c", "clientVersion": ""}, "clientStates": [H(b"s1"), H(b"s2")], "threatInfo": info_record},
        proto_reads=[data(1, data(1, "c")) + data(2, b"s1") + data(2, b"s2") + data(3, packed(1, [1, 99, 5]) + packed(2, [2]) + packed(4, [1]) + data(3, data(1, four)) + data(3, data(1, hash32)))],
        json_reads=[json.dumps({"client": {"client_id": "c"}, "client_states": ["czE", "czI"], "threat_info": {**info_json, "threatTypes": [1, "LATER", 5]}})])
    refused(find, "request", "protobuf", data(3, num(1, 1)), "prefixes-missing", "ThreatInfo.threat_entries")
    refused(find, "request", "protobuf", data(3, data(3, data(2, "http://a/"))), "hash-length-wrong", "ThreatEntry.hash")
    refused(find, "request", "protobuf", data(3, data(3, data(1, b"abc"))), "hash-length-wrong", "ThreatEntry.hash")
    refused(find, "request", "protobuf", data(3, data(3, data(1, bytes(33)))), "hash-length-wrong", "ThreatEntry.hash")
    match = num(1, 1) + num(2, 2) + data(3, data(1, hash32)) + data(4, data(1, data(1, b"k") + data(2, b""))) + dur(5, 300) + num(6, 1)
    match_record = {"threatType": "MALWARE", "platformType": "LINUX", "threatEntryType": "URL", "threat": {"hash": H(hash32), "url": ""}, "threatEntryMetadata": {"entries": [{"key": H(b"k"), "value": H(b"")}]}, "cacheDuration": 300000}
    message(find, "response", data(1, match) + dur(2, 300) + dur(3, 600),
        json.dumps({"matches": [{"threatType": "MALWARE", "platformType": "LINUX", "threatEntryType": "URL", "threat": {"hash": b64(hash32)}, "threatEntryMetadata": {"entries": [{"key": "aw==", "value": ""}]}, "cacheDuration": "300s"}], "minimumWaitDuration": "300s", "negativeCacheDuration": "600s"}),
        {"matches": [match_record], "minimumWaitDuration": 300000, "negativeCacheDuration": 600000})
    message(find, "response", dur(3, 300), '{"negativeCacheDuration": "300s"}', {"matches": [], "minimumWaitDuration": None, "negativeCacheDuration": 300000})
    refused(find, "response", "protobuf", data(1, data(3, data(1, four))), "hash-length-wrong", "ThreatMatch.threat")
    refused(find, "response", "protobuf", data(1, num(1, 1)), "hash-length-wrong", "ThreatMatch.threat")

    lookup = "v4.threatMatches.find"
    message(lookup, "request", data(1, data(1, "c") + data(2, "1")) + data(2, num(1, 1) + num(2, 6) + data(3, data(2, "http://é.example/")) + num(4, 1)),
        json.dumps({"client": {"clientId": "c", "clientVersion": "1"}, "threatInfo": {"threatTypes": ["MALWARE"], "platformTypes": ["ANY_PLATFORM"], "threatEntryTypes": ["URL"], "threatEntries": [{"url": "http://é.example/"}]}}),
        {"client": {"clientId": "c", "clientVersion": "1"}, "threatInfo": {"threatTypes": ["MALWARE"], "platformTypes": ["ANY_PLATFORM"], "threatEntryTypes": ["URL"], "threatEntries": [{"hash": H(b""), "url": "http://é.example/"}]}})
    refused(lookup, "request", "protobuf", data(2, data(3, data(2, b"\xff"))), "text-malformed", "Protocol Buffers, string")
    refused(lookup, "request", "json", '{"threatInfo":{"threatEntries":[{"url":"\\ud800"}]}}', "text-malformed", "Protocol Buffers, string")
    message(lookup, "response", data(1, num(1, 1) + num(2, 6) + data(3, data(2, "http://a.example/")) + dur(5, 300) + num(6, 1)),
        json.dumps({"matches": [{"threatType": "MALWARE", "platformType": "ANY_PLATFORM", "threatEntryType": "URL", "threat": {"url": "http://a.example/"}, "cacheDuration": "300s"}]}),
        {"matches": [{"threatType": "MALWARE", "platformType": "ANY_PLATFORM", "threatEntryType": "URL", "threat": {"hash": H(b""), "url": "http://a.example/"}, "threatEntryMetadata": None, "cacheDuration": 300000}]})
    message(lookup, "response", b"", "{}", {"matches": []})
    message("v4.threatLists.list", "request", b"", "{}", {})
    message("v4.threatLists.list", "response", data(1, num(1, 9) + num(2, 8) + num(3, 4)),
        '{"threatLists": [{"threatType": "CSD_DOWNLOAD_ALLOWLIST", "platformType": "CHROME", "threatEntryType": "CHROME_EXTENSION"}]}',
        {"threatLists": [{"threatType": "CSD_DOWNLOAD_ALLOWLIST", "platformType": "CHROME", "threatEntryType": "CHROME_EXTENSION"}]},
        json_reads=['{"threatLists": [{"threatType": "CSD_DOWNLOAD_WHITELIST", "platformType": 8, "threatEntryType": "CHROME_EXTENSION"}]}'])

    diff = "webRisk.threatLists.computeDiff"
    message(diff, "request", num(1, 4) + data(2, four) + data(3, num(1, 1024) + num(2, 1048576) + packed(3, [1, 2])),
        json.dumps({"threatType": "SOCIAL_ENGINEERING_EXTENDED_COVERAGE", "versionToken": b64(four), "constraints": {"maxDiffEntries": 1024, "maxDatabaseEntries": 1048576, "supportedCompressions": ["RAW", "RICE"]}}),
        {"threatType": "SOCIAL_ENGINEERING_EXTENDED_COVERAGE", "versionToken": H(four), "constraints": {"maxDiffEntries": 1024, "maxDatabaseEntries": 1048576, "supportedCompressions": ["RAW", "RICE"]}},
        proto_reads=[num(1, 4) + data(2, four) + data(3, num(3, 1) + num(3, 2) + num(1, 1024) + num(2, 1048576))])
    message(diff, "request", data(3, b""), '{"constraints": {}}', {"threatType": None, "versionToken": H(b""), "constraints": {"maxDiffEntries": 0, "maxDatabaseEntries": 0, "supportedCompressions": []}},
        proto_reads=[num(1, 99) + data(3, b"")], json_reads=['{"threatType": "LATER", "constraints": {}}', '{"threatType": 0, "constraints": {}}'])
    refused(diff, "request", "protobuf", data(3, num(1, -1)), "constraint-invalid", "Constraints.max_diff_entries")
    refused(diff, "request", "protobuf", data(3, num(2, -1)), "constraint-invalid", "Constraints.max_database_entries")
    stamp = 1_790_000_000
    message(diff, "response",
        dur(2, stamp, 500_000_000) + num(4, 1) + data(5, data(1, raw) + data(1, num(1, 5) + data(2, b"abcde")) + data(2, num(2, 3) + num(3, 1) + data(4, b"\x10"))) + data(6, data(1, packed(1, [0, 300])) + data(2, num(1, 9))) + data(7, b"t") + data(8, data(1, hash32)),
        json.dumps({"recommendedNextDiff": "2026-09-21T14:13:20.500Z", "responseType": "DIFF", "additions": {"rawHashes": [{"prefixSize": 4, "rawHashes": b64(four)}, {"prefixSize": 5, "rawHashes": b64(b"abcde")}], "riceHashes": {"riceParameter": 3, "entryCount": 1, "encodedData": "EA=="}}, "removals": {"rawIndices": {"indices": [0, 300]}, "riceIndices": {"firstValue": "9"}}, "newVersionToken": "dA==", "checksum": {"sha256": b64(hash32)}}),
        {"responseType": "DIFF", "additions": {"rawHashes": [{"prefixSize": 4, "rawHashes": H(four)}, {"prefixSize": 5, "rawHashes": H(b"abcde")}], "riceHashes": {"firstValue": 0, "riceParameter": 3, "entryCount": 1, "encodedData": H(b"\x10")}}, "removals": {"rawIndices": {"indices": [0, 300]}, "riceIndices": {"firstValue": 9, "riceParameter": 0, "entryCount": 0, "encodedData": H(b"")}}, "newVersionToken": H(b"t"), "checksum": {"sha256": H(hash32)}, "recommendedNextDiff": stamp * 1000 + 500},
        json_reads=[json.dumps({"recommendedNextDiff": "2026-09-21T16:13:20.500999+02:00", "responseType": 1, "additions": {"rawHashes": [{"prefixSize": 4, "rawHashes": b64(four)}, {"prefixSize": 5, "rawHashes": b64(b"abcde")}], "riceHashes": {"riceParameter": 3, "entryCount": 1, "encodedData": "EA"}}, "removals": {"rawIndices": {"indices": [0, 300]}, "riceIndices": {"firstValue": 9}}, "newVersionToken": "dA", "checksum": {"sha256": b64(hash32)}})])
    message(diff, "response", dur(2, 0) + num(4, 2), '{"recommendedNextDiff": "1970-01-01T00:00:00Z", "responseType": "RESET"}',
        {"responseType": "RESET", "additions": None, "removals": None, "newVersionToken": H(b""), "checksum": None, "recommendedNextDiff": 0})
    message(diff, "response", dur(2, -62_135_596_800), '{"recommendedNextDiff": "0001-01-01T00:00:00Z"}',
        {"responseType": None, "additions": None, "removals": None, "newVersionToken": H(b""), "checksum": None, "recommendedNextDiff": -62_135_596_800_000})
    for text in ("2026-11-22", "2026-11-22T10:00:00", "2026-13-22T10:00:00Z", "2026-11-22T25:00:00Z", "2026-11-22 10:00:00Z", "+2026-11-22T10:00:00Z", "2026-11-22T10:00:00+24:00", "0000-12-31T23:59:59Z", "2026-02-30T10:00:00.Z"):
        refused(diff, "response", "json", json.dumps({"recommendedNextDiff": text}), "timestamp-invalid", "ProtoJSON, Timestamp")
    refused(diff, "response", "protobuf", dur(2, 253_402_300_800), "timestamp-invalid", "google/protobuf/timestamp.proto")
    refused(diff, "response", "protobuf", data(2, num(2, -1)), "timestamp-invalid", "google/protobuf/timestamp.proto")

    hashes = "webRisk.hashes.search"
    message(hashes, "request", data(1, four) + packed(2, [1, 2]), json.dumps({"hashPrefix": b64(four), "threatTypes": ["MALWARE", "SOCIAL_ENGINEERING"]}), {"hashPrefix": H(four), "threatTypes": ["MALWARE", "SOCIAL_ENGINEERING"]}, json_reads=['{"hash_prefix": "--__AQ==", "threat_types": ["1", 2, 99]}'])
    message(hashes, "request", data(1, hash32), json.dumps({"hashPrefix": b64(hash32)}), {"hashPrefix": H(hash32), "threatTypes": []})
    refused(hashes, "request", "protobuf", b"", "prefixes-missing", "SearchHashesRequest.hash_prefix")
    refused(hashes, "request", "protobuf", data(1, b"abc"), "hash-length-wrong", "SearchHashesRequest.hash_prefix")
    message(hashes, "response", data(1, packed(1, [1]) + data(2, hash32) + dur(3, stamp)) + dur(2, stamp + 1),
        json.dumps({"threats": [{"threatTypes": ["MALWARE"], "hash": b64(hash32), "expireTime": "2026-09-21T14:13:20Z"}], "negativeExpireTime": "2026-09-21T14:13:21Z"}),
        {"threats": [{"threatTypes": ["MALWARE"], "hash": H(hash32), "expireTime": stamp * 1000}], "negativeExpireTime": stamp * 1000 + 1000})
    refused(hashes, "response", "protobuf", data(1, packed(1, [1])), "hash-length-wrong", "ThreatHash.hash")
    uris = "webRisk.uris.search"
    message(uris, "request", data(1, "http://a/") + packed(2, [3]), '{"uri": "http://a/", "threatTypes": ["UNWANTED_SOFTWARE"]}', {"uri": "http://a/", "threatTypes": ["UNWANTED_SOFTWARE"]})
    message(uris, "response", data(1, packed(1, [3, 1]) + dur(2, stamp)), '{"threat": {"threatTypes": ["UNWANTED_SOFTWARE", "MALWARE"], "expireTime": "2026-09-21T14:13:20Z"}}', {"threat": {"threatTypes": ["UNWANTED_SOFTWARE", "MALWARE"], "expireTime": stamp * 1000}})
    message(uris, "response", b"", "{}", {"threat": None}, json_reads=['{"threat": null}'])

    # Bytes that are not a message.
    broken = [
        ("0a", "truncated"), ("0a05", "truncated"), ("0a05abcd", "truncated"), ("0affffffff0f", "truncated"),
        ("ff", "truncated"), ("00", "message-malformed"),
        ("0e", "message-malformed"), ("0f", "message-malformed"), ("0c", "message-malformed"),
        ("ffffffff7f", "message-malformed"), ("0b", "truncated"), ("0b14", "message-malformed"),
        ("0b" * 101, "message-malformed"), ("1a0212", "truncated"), ("ba3f0261", "truncated"),
    ]
    for text, error in broken:
        cases.append({"input": {"method": lookup, "side": "request", "form": "protobuf", "hex": text}, "error": error, "section": "Protocol Buffers, Encoding"})
    refused("v5.hashLists.list", "request", "protobuf", bytes.fromhex("08ffffffffffffffffffff01"), "message-malformed", "Protocol Buffers, Encoding")
    # A known field with another wire type is an unknown field; groups are skipped.
    for text in ("0801", "1001", "0d00000000", "0b0c", "0b1a00080112000c"):
        cases.append({"input": {"method": lookup, "side": "request", "form": "protobuf", "hex": text}, "expected": {"client": None, "threatInfo": None}, "readOnly": True, "section": "Protocol Buffers, Encoding"})
    write("messages", "the .proto files of the APIs and ProtoJSON", cases)


# Updates of lists

def list_vectors():
    cases = []
    sha = lambda *prefixes: hashlib.sha256(b"".join(sorted(prefixes))).digest()
    le = lambda prefix: int.from_bytes(prefix, "little")

    def case(what, api, proto, result, section, **more):
        entry = {"input": {"what": what, "api": api, "hex": proto.hex(), **more}, "section": section}
        entry.update({"error": result} if isinstance(result, str) else {"expected": result})
        cases.append(entry)

    def update(full, removals=(), additions=(), checksum=None):
        groups = {}
        for each in sorted(additions):
            groups.setdefault(len(each), []).append(each)
        return {
            "full": full, "removals": list(removals),
            "additions": [{"prefixBytes": size, "rawHashes": H(b"".join(groups[size]))} for size in sorted(groups)],
            "checksum": checksum and checksum.hex(),
        }

    a, b, c, d = b"\x01\0\0\0", b"\x02\0\0\xff", b"\x03\xff\0\x01", b"\xff\xff\xff\xff"
    name = data(1, "mw-4b")
    section = "Safe Browsing v5, HashList"

    def r32(values, parameter=None):
        k = best(values) if parameter is None else parameter
        coded = rice(values, k)
        parts = (num(1, values[0]) if values[0] else b"") + num(2, k)
        return parts + (num(3, len(values) - 1) if len(values) > 1 else b"") + (data(4, coded) if coded else b"")

    be = lambda *prefixes: [int.from_bytes(each, "big") for each in sorted(prefixes)]
    end = data(7, sha(a, b, c, d))
    case("a full list", "v5", name + data(4, r32(be(a, b, c, d))) + end, update(True, (), (a, b, c, d), sha(a, b, c, d)), section)
    case("a full list of one prefix of zeros", "v5", name + data(4, r32([0])) + data(7, sha(bytes(4))), update(True, (), (bytes(4),), sha(bytes(4))), section)
    case("a full empty list", "v5", name + data(7, sha()), update(True, (), (), sha()), section)
    case("removal of index 0 only", "v5", name + num(3, 1) + data(5, num(2, 3)) + end, update(True and False, (0,), (), sha(a, b, c, d)), section)
    case("removals and additions", "v5", name + num(3, 1) + data(4, r32(be(a))) + data(5, r32([0, 1, 2, 900])) + end, update(False, (0, 1, 2, 900), (a,), sha(a, b, c, d)), section)
    case("nothing changed", "v5", name + num(3, 1), update(False), section)
    case("nothing changed, with a checksum", "v5", name + num(3, 1) + end, update(False, (), (), sha(a, b, c, d)), section)
    case("a list of full hashes", "v5", data(1, "own-32b") + data(7, sha(bytes(32))) + data(11, num(5, 227)), update(True, (), (bytes(32),), sha(bytes(32))), section)
    case("a list of a name without a length", "v5", data(1, "own") + data(7, sha(bytes(8))) + data(9, num(2, 35)), update(True, (), (bytes(8),), sha(bytes(8))), section)
    case("prefixes of another length than the name says", "v5", name + data(7, sha(bytes(8))) + data(9, num(2, 35)), "prefix-length-wrong", section)
    case("additions without a checksum", "v5", name + num(3, 1) + data(4, r32(be(a))), "checksum-missing", section)
    case("removals without a checksum", "v5", name + num(3, 1) + data(5, num(2, 3)), "checksum-missing", section)
    case("a full list without a checksum", "v5", name, "checksum-missing", section)
    case("a checksum of 31 bytes", "v5", name + num(3, 1) + data(7, bytes(31)), "checksum-missing", section)
    case("a full list that removes", "v5", name + data(5, num(2, 3)) + end, "full-update-removes", section)
    case("a removal twice", "v5", name + num(3, 1) + data(5, num(1, 7) + num(2, 3) + num(3, 1) + data(4, b"\0")) + end, "removals-wrong", section)
    case("a parameter below 3 beside one value", "v5", name + data(4, num(1, 7) + num(2, 2)) + end, "rice-parameter-wrong", section)
    case("a parameter of 0 for removals", "v5", name + num(3, 1) + data(5, b"") + end, "rice-parameter-wrong", section)
    case("more entries than the caller allows", "v5", name + data(4, r32(be(a, b, c, d))) + end, "too-many-entries", section, maxEntries=3)
    case("as many entries as the caller allows", "v5", name + data(4, r32(be(a, b, c, d))) + end, update(True, (), (a, b, c, d), sha(a, b, c, d)), section, maxEntries=4)

    for api in ("v4", "webRisk"):
        section = {"v4": "Safe Browsing v4, ThreatEntrySet", "webRisk": "Web Risk, ComputeThreatListDiffResponse"}[api]

        def rd(values, parameter=None):
            k = (0 if len(values) == 1 else best(values, 32, 2, 28)) if parameter is None else parameter
            return num(1, values[0]) + num(2, k) + num(3, len(values) - 1) + data(4, rice(values, k) if len(values) > 1 else b"")

        def response(full, additions=b"", removals=b"", checksum=None):
            kind = (2 if full else 1)
            if api == "v4":
                return num(4, kind) + additions + removals + (data(8, data(1, checksum)) if checksum is not None else b"")
            parts = num(4, kind) + (data(5, additions) if additions else b"") + (data(6, removals) if removals else b"")
            return parts + (data(8, data(1, checksum)) if checksum is not None else b"")

        if api == "v4":
            raw_add = lambda size, raw: data(5, num(1, 1) + data(2, num(1, size) + data(2, raw)))
            rice_add = lambda coded: data(5, num(1, 2) + data(4, coded))
            raw_rem = lambda *indices: data(6, num(1, 1) + data(3, b"".join(num(1, i) for i in indices)))
            rice_rem = lambda coded: data(6, num(1, 2) + data(5, coded))
        else:
            raw_add = lambda size, raw: data(1, num(1, size) + data(2, raw))
            rice_add = lambda coded: data(2, coded)
            raw_rem = lambda *indices: data(1, packed(1, indices))
            rice_rem = lambda coded: data(2, coded)
        values = sorted(map(le, (a, b, c, d)))
        everything = sha(a, b, c, d)
        case("a full list, Rice", api, response(True, rice_add(rd(values)), b"", everything), update(True, (), (a, b, c, d), everything), section)
        case("a full list, raw", api, response(True, raw_add(4, a + b + c + d), b"", everything), update(True, (), (a, b, c, d), everything), section)
        case("the smallest parameter", api, response(True, rice_add(rd([1, 2, 5, 9], 2)), b"", everything), update(True, (), tuple(v.to_bytes(4, "little") for v in (1, 2, 5, 9)), everything), section)
        case("the largest parameter", api, response(True, rice_add(rd([0, 2**32 - 1], 28)), b"", everything), update(True, (), (bytes(4), d), everything), section)
        case("one value of 0", api, response(True, rice_add(rd([0])), b"", sha(bytes(4))), update(True, (), (bytes(4),), sha(bytes(4))), section)
        case("one value, the largest, with a parameter", api, response(True, rice_add(num(1, 2**32 - 1) + num(2, 28)), b"", everything), update(True, (), (d,), everything), section)
        case("lengths mixed, raw beside Rice", api, response(True, raw_add(5, b"\x05" * 5) + raw_add(32, bytes(32)) + rice_add(rd([le(d)])), b"", everything), update(True, (), (d, b"\x05" * 5, bytes(32)), everything), section)
        case("two sets of one length", api, response(True, raw_add(4, b + d) + raw_add(4, a + c), b"", everything), update(True, (), (a, b, c, d), everything), section)
        case("a full empty list", api, response(True, b"", b"", sha()), update(True, (), (), sha()), section)
        case("an empty raw set", api, response(True, raw_add(4, b""), b"", sha()), update(True, (), (), sha()), section)
        case("removal of index 0 only, Rice", api, response(False, b"", rice_rem(rd([0])), everything), update(False, (0,), (), everything), section)
        case("removal of index 0 only, raw", api, response(False, b"", raw_rem(0), everything), update(False, (0,), (), everything), section)
        case("removals and additions, Rice", api, response(False, rice_add(rd([le(a)])), rice_rem(rd([0, 7, 8, 10**6])), everything), update(False, (0, 7, 8, 10**6), (a,), everything), section)
        case("nothing changed", api, response(False), update(False), section)
        case("nothing changed, with a checksum", api, response(False, b"", b"", everything), update(False, (), (), everything), section)
        case("raw additions out of order", api, response(True, raw_add(4, b + a), b"", everything), "additions-unordered", section)
        case("a raw addition twice", api, response(True, raw_add(4, a + a), b"", everything), "additions-unordered", section)
        case("an addition in two sets", api, response(True, raw_add(4, a + b) + raw_add(4, b + c), b"", everything), "additions-unordered", section)
        case("an addition twice, Rice", api, response(True, rice_add(num(1, 7) + num(2, 2) + num(3, 1) + data(4, b"\0")), b"", everything), "additions-unordered", section)
        case("a prefix of the next one", api, response(True, raw_add(4, a) + raw_add(5, a + b"\x01"), b"", everything), "additions-overlap", section)
        case("a prefix of a much longer one", api, response(True, raw_add(5, b"\x01\0\0\0\0" + b"\x02\0\0\0\0") + raw_add(32, b"\x02" + bytes(31)), b"", everything), "additions-overlap", section)
        case("prefixes of 3 bytes", api, response(True, raw_add(3, b"abc"), b"", everything), "prefix-length-wrong", section)
        case("prefixes of 33 bytes", api, response(True, raw_add(33, bytes(33)), b"", everything), "prefix-length-wrong", section)
        case("prefixes of -4 bytes", api, response(True, raw_add(-4, a), b"", everything), "prefix-length-wrong", section)
        case("a part of a prefix", api, response(True, raw_add(4, a + b"\0"), b"", everything), "prefix-length-wrong", section)
        case("removal indices out of order", api, response(False, b"", raw_rem(2, 1), everything), "removals-wrong", section)
        case("a removal index twice", api, response(False, b"", raw_rem(2, 2), everything), "removals-wrong", section)
        case("a negative removal index", api, response(False, b"", raw_rem(-1), everything), "removals-wrong", section)
        case("a full list that removes", api, response(True, b"", raw_rem(0), everything), "full-update-removes", section)
        case("a change without a checksum", api, response(False, raw_add(4, a)), "checksum-missing", section)
        case("a full list without a checksum", api, response(True), "checksum-missing", section)
        case("a checksum of 33 bytes", api, response(False, b"", b"", bytes(33)), "checksum-missing", section)
        case("neither full nor partial", api, response(False, b"", b"", everything)[2:], "response-type-missing", section)
        case("a parameter of 1", api, response(True, rice_add(rd([1, 2], 1)), b"", everything), "rice-parameter-wrong", section)
        case("a parameter of 29", api, response(True, rice_add(rd([1, 2], 29)), b"", everything), "rice-parameter-wrong", section)
        case("a first value beyond 32 bits", api, response(True, rice_add(num(1, 2**32)), b"", everything), "rice-data-damaged", section)
        case("a negative first value", api, response(True, rice_add(num(1, -1)), b"", everything), "rice-data-damaged", section)
        case("a negative count", api, response(True, rice_add(num(1, 1) + num(2, 5) + num(3, -1)), b"", everything), "rice-count-wrong", section)
        case("a count beyond the data", api, response(True, rice_add(num(1, 1) + num(2, 2) + num(3, 2**31 - 1) + data(4, b"\0")), b"", everything), "rice-count-wrong", section)
        case("data beside a single value", api, response(True, rice_add(num(1, 1) + data(4, b"\0")), b"", everything), "rice-data-damaged", section)
        case("more entries than the caller allows, raw", api, response(True, raw_add(4, a + b) + raw_add(5, b"\x05" * 5), b"", everything), "too-many-entries", section, maxEntries=2)
        case("more entries than the caller allows, Rice", api, response(True, rice_add(rd(values)), b"", everything), "too-many-entries", section, maxEntries=3)
    section = "Safe Browsing v4, ThreatEntrySet"
    whole = lambda sets: num(4, 1) + sets + data(8, data(1, bytes(32)))
    case("removals in two sets", "v4", whole(data(6, num(1, 1) + data(3, packed(1, [5, 9]))) + data(6, num(1, 2) + data(5, num(1, 7)))), update(False, (5, 7, 9), (), bytes(32)), section)
    case("no compression named", "v4", whole(data(5, data(2, num(1, 4) + data(2, a)))), "compression-wrong", section)
    case("a compression that is not known", "v4", whole(data(5, num(1, 3) + data(2, num(1, 4) + data(2, a)))), "compression-wrong", section)
    case("Rice named, raw inside", "v4", whole(data(5, num(1, 2) + data(2, num(1, 4) + data(2, a)))), "compression-wrong", section)
    case("indices among the additions", "v4", whole(data(5, num(1, 1) + data(3, num(1, 1)))), "compression-wrong", section)
    case("hashes among the removals", "v4", whole(data(6, num(1, 1) + data(2, num(1, 4) + data(2, a)))), "compression-wrong", section)
    case("two forms in one set", "v4", whole(data(5, num(1, 1) + data(2, num(1, 4) + data(2, a)) + data(4, num(1, 1)))), "compression-wrong", section)
    case("an empty set", "v4", whole(data(5, num(1, 1))), "compression-wrong", section)
    write("lists", "the update APIs: sets, removals before additions, checksums", cases)


# Requests

def request_vectors():
    cases = []
    four = b"\xfb\xef\xff\x01"
    std, url = urllib.parse.quote(b64(four), safe=""), base64.urlsafe_b64encode(four).decode()
    names = {"format": "protobuf", "enums": "names"}
    text = {"format": "json", "enums": "names"}
    numbers = {"format": "json", "enums": "numbers"}
    PROTO = "application/x-protobuf"

    def case(what, method, target, result, headers=None, body=b"", name=None, answer=None, key=None):
        request = {"what": what, "method": method, "target": target, "headers": headers or {}, "body": H(body if isinstance(body, bytes) else body.encode())}
        if isinstance(result, str):
            cases.append({"input": request, "error": result, "section": "Forms of a request"})
        else:
            cases.append({"input": request, "expected": {"name": name, "message": result, "answer": answer, "key": key}, "section": "Forms of a request"})

    batch = "v5.hashLists.batchGet"
    path = "/v5/hashLists:batchGet"
    message = {"names": ["se-4b", "mw-4b"], "version": [H(four), H(b"")], "sizeConstraints": None}
    case("Firefox: parameters, standard base64, one version for each name", "GET", f"{path}?key=k&names=se-4b&names=mw-4b&version={std}&version=", message, name=batch, answer=names, key="k")
    proto = data(1, "se-4b") + data(1, "mw-4b") + data(2, four)
    req = base64.urlsafe_b64encode(proto).decode()
    case("Chromium: the whole message in $req", "GET", f"{path}?$req={req}&$ct={PROTO}&key=k", {**message, "version": [H(four)]}, name=batch, answer=names, key="k")
    case("$req in standard base64, escaped", "GET", f"{path}?$ct={urllib.parse.quote(PROTO, safe='')}&$req={urllib.parse.quote(b64(proto), safe='')}", {**message, "version": [H(four)]}, name=batch, answer=names)
    case("$req without $ct", "GET", f"{path}?$req={req.rstrip('=')}", {**message, "version": [H(four)]}, name=batch, answer=names)
    case("base64 for URLs, not padded", "GET", f"{path}?names=se-4b&names=mw-4b&version={url.rstrip('=')}&version=", message, name=batch, answer=names)
    case("standard base64 that nobody escaped", "GET", f"{path}?names=se-4b&names=mw-4b&version={b64(four)}&version=", message, name=batch, answer=names)
    case("a nested field", "GET", f"{path}?names=a&sizeConstraints.maxUpdateEntries=2048&sizeConstraints.maxDatabaseEntries=1", {"names": ["a"], "version": [], "sizeConstraints": {"maxUpdateEntries": 2048, "maxDatabaseEntries": 1}}, name=batch, answer=names)
    case("names as in the .proto file", "GET", f"{path}?names=a&size_constraints.max_update_entries=2048", {"names": ["a"], "version": [], "sizeConstraints": {"maxUpdateEntries": 2048, "maxDatabaseEntries": 0}}, name=batch, answer=names)
    case("what is not known is skipped", "GET", f"{path}?names=a&prettyPrint=false&a.b=1&names.x=1&sizeConstraints=1&sizeConstraints.later=1&constructor=1&=&", {"names": ["a"], "version": [], "sizeConstraints": None}, name=batch, answer=names)
    cases[-1]["expected"]["message"]["sizeConstraints"] = {"maxUpdateEntries": 0, "maxDatabaseEntries": 0}
    case("alt=json", "GET", f"{path}?names=a&alt=json", {"names": ["a"], "version": [], "sizeConstraints": None}, name=batch, answer=text)
    case("$alt with numbers", "GET", f"{path}?names=a&$alt=json;enum-encoding=int", {"names": ["a"], "version": [], "sizeConstraints": None}, name=batch, answer=numbers)
    case("$alt escaped", "GET", f"{path}?names=a&%24alt=json%3Benum-encoding%3Dint", {"names": ["a"], "version": [], "sizeConstraints": None}, name=batch, answer=numbers)
    case("Accept names JSON", "GET", f"{path}?names=a", {"names": ["a"], "version": [], "sizeConstraints": None}, {"accept": "application/json"}, name=batch, answer=text)
    case("Accept takes anything", "GET", f"{path}?names=a", {"names": ["a"], "version": [], "sizeConstraints": None}, {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}, name=batch, answer=names)
    case("alt=proto before Accept", "GET", f"{path}?names=a&alt=proto", {"names": ["a"], "version": [], "sizeConstraints": None}, {"accept": "application/json"}, name=batch, answer=names)
    case("an escaped colon", "GET", "/v5/hashLists%3AbatchGet?names=a", {"names": ["a"], "version": [], "sizeConstraints": None}, name=batch, answer=names)
    case("an escaped name", "GET", f"{path}?names=%C3%A9+x", {"names": ["é x"], "version": [], "sizeConstraints": None}, name=batch, answer=names)
    case("a POST meant as a GET", "POST", f"{path}?names=a", {"names": ["a"], "version": [], "sizeConstraints": None}, {"x-http-method-override": "GET"}, name=batch, answer=names)
    case("the key in a header", "GET", f"{path}?names=a", {"names": ["a"], "version": [], "sizeConstraints": None}, {"x-goog-api-key": "h"}, name=batch, answer=names, key="h")
    case("no name", "GET", path, "names-missing")
    case("a name twice", "GET", f"{path}?names=a&names=a", "name-repeated")
    case("bad base64", "GET", f"{path}?names=a&version=*", "base64-malformed")
    case("a bad number", "GET", f"{path}?names=a&sizeConstraints.maxUpdateEntries=1e9", "value-invalid")
    case("$req is no base64", "GET", f"{path}?$req=*", "base64-malformed")
    case("$req is no message", "GET", f"{path}?$req=CgU", "truncated")
    case("$req of JSON", "GET", f"{path}?$req=e30&$ct=application/json", "content-type-unknown")
    case("$ct not known", "GET", f"{path}?$req=e30&$ct=text/html", "content-type-unknown")
    case("alt not known", "GET", f"{path}?names=a&alt=xml", "alt-unknown")
    case("a POST where a GET belongs", "POST", f"{path}?names=a", "http-method-wrong")
    case("HEAD", "HEAD", f"{path}?names=a", "http-method-wrong")
    for other in ("/v5/hashLists:batchget", "/v5/hashLists:batchGet/", "//v5/hashLists:batchGet", "/v5/../v5/hashLists:batchGet", "/", "", "/v5/%", "/v5/hashList/", "/v5/hashList/a/b", "/v5/hashList/a%", "/v5/hashList%2Fa"):
        case("a path that is none", "GET", other, "path-unknown")
    case("one list", "GET", "/v5/hashList/mw-4b?version=AQ==", {"name": "mw-4b", "version": H(b"\x01"), "sizeConstraints": None}, name="v5.hashList.get", answer=names)
    case("one list, its name also in the query", "GET", "/v5/hashList/mw%2D4b?name=x", {"name": "mw-4b", "version": H(b""), "sizeConstraints": None}, name="v5.hashList.get", answer=names)
    case("a name with a slash", "GET", "/v5/hashList/a%2Fb", {"name": "a/b", "version": H(b""), "sizeConstraints": None}, name="v5.hashList.get", answer=names)
    case("the name in the path counts", "GET", "/v5/hashList/a?$req=CgFi", {"name": "a", "version": H(b""), "sizeConstraints": None}, name="v5.hashList.get", answer=names)
    case("all lists", "GET", "/v5/hashLists", {"pageSize": 0, "pageToken": ""}, name="v5.hashLists.list", answer=names)
    case("a page of all lists", "GET", "/v5/hashLists?page_size=2&pageToken=x", {"pageSize": 2, "pageToken": "x"}, name="v5.hashLists.list", answer=names)
    search = "v5.hashes.search"
    case("a search", "GET", f"/v5/hashes:search?key=k&hashPrefixes={std}&hashPrefixes=AAAAAA==", {"hashPrefixes": [H(four), H(bytes(4))]}, name=search, answer=names, key="k")
    case("a search in $req", "GET", f"/v5/hashes:search?$ct={PROTO}&$req={base64.urlsafe_b64encode(data(1, four)).decode()}", {"hashPrefixes": [H(four)]}, name=search, answer=names)
    case("a search without a prefix", "GET", "/v5/hashes:search", "prefixes-missing")
    case("a search for 3 bytes", "GET", "/v5/hashes:search?hashPrefixes=AAAA", "hash-length-wrong")

    fetch = "/v4/threatListUpdates:fetch"
    asked = {"client": {"clientId": "c", "clientVersion": ""}, "listUpdateRequests": [{"threatType": "MALWARE", "platformType": "LINUX", "threatEntryType": "URL", "state": H(b""), "constraints": {"maxUpdateEntries": 0, "maxDatabaseEntries": 0, "region": "", "supportedCompressions": ["RICE"]}}]}
    proto = data(1, data(1, "c")) + data(3, num(1, 1) + num(2, 2) + data(4, num(4, 2)) + num(5, 1))
    body = json.dumps({"client": {"clientId": "c"}, "listUpdateRequests": [{"threatType": "MALWARE", "platformType": "LINUX", "threatEntryType": "URL", "constraints": {"supportedCompressions": ["RICE"]}}]})
    req = base64.urlsafe_b64encode(proto).decode()
    update = "v4.threatListUpdates.fetch"
    case("Go: a protobuf body and alt=proto", "POST", f"{fetch}?alt=proto&key=k", asked, {"content-type": PROTO}, proto, update, names, "k")
    case("a protobuf body, and no alt", "POST", fetch, asked, {"content-type": PROTO}, proto, update, names)
    case("a protobuf body, $ct in the query", "POST", f"{fetch}?$ct={PROTO}", asked, {}, proto, update, names)
    case("googleapis: a JSON body", "POST", f"{fetch}?key=k", asked, {"content-type": "application/json; charset=utf-8"}, body, update, text, "k")
    case("a JSON body without a content type", "POST", fetch, asked, {}, body, update, text)
    case("a JSON body, answered in protobuf", "POST", f"{fetch}?alt=proto", asked, {"content-type": "application/json"}, body, update, names)
    case("a JSON body, enumerations as numbers", "POST", f"{fetch}?$alt=json;enum-encoding=int", asked, {}, json.dumps({"client": {"clientId": "c"}, "listUpdateRequests": [{"threatType": 1, "platformType": 2, "threatEntryType": 1, "constraints": {"supportedCompressions": [2]}}]}), update, numbers)
    case("Firefox: a POST sent as a GET", "GET", f"{fetch}?$ct={PROTO}&key=k&$httpMethod=POST&$req={req}", asked, {"x-http-method-override": "POST"}, b"", update, names, "k")
    case("Chromium: the same with the header only", "GET", f"{fetch}?$req={req}&$ct={PROTO}&key=k", asked, {"x-http-method-override": "POST"}, b"", update, names, "k")
    case("the same with the parameter only", "GET", f"{fetch}?$req={req}&$ct={PROTO}&$httpMethod=POST", asked, {}, b"", update, names)
    case("a GET that says nothing of POST", "GET", f"{fetch}?$req={req}&$ct={PROTO}", "http-method-wrong")
    case("a form", "POST", fetch, "content-type-unknown", {"content-type": "application/x-www-form-urlencoded"}, body)
    case("an empty body", "POST", fetch, "json-malformed")
    case("a body that is not UTF-8", "POST", fetch, "text-malformed", {"content-type": "application/json"}, b'{"a":"\xff"}')
    case("a body that is cut off", "POST", fetch, "truncated", {"content-type": PROTO}, proto[:-3])
    find = {"client": None, "clientStates": [], "threatInfo": {"threatTypes": ["MALWARE"], "platformTypes": [], "threatEntryTypes": [], "threatEntries": [{"hash": H(four), "url": ""}]}}
    proto = data(3, packed(1, [1]) + data(3, data(1, four)))
    case("full hashes, Go", "POST", "/v4/fullHashes:find?alt=proto", find, {"content-type": PROTO}, proto, "v4.fullHashes.find", names)
    case("full hashes, browser", "GET", f"/v4/fullHashes:find?$ct={PROTO}&$httpMethod=POST&$req={base64.urlsafe_b64encode(data(3, num(1, 1) + data(3, data(1, four)))).decode()}", find, {}, b"", "v4.fullHashes.find", names)
    case("URLs", "POST", "/v4/threatMatches:find", {"client": None, "threatInfo": {"threatTypes": [], "platformTypes": [], "threatEntryTypes": [], "threatEntries": [{"hash": H(b""), "url": "http://a/"}]}}, {}, '{"threatInfo":{"threatEntries":[{"url":"http://a/"}]}}', "v4.threatMatches.find", text)
    case("the lists of v4", "GET", "/v4/threatLists?key=k", {}, {}, b"", "v4.threatLists.list", text, "k")
    case("the lists of v4 in protobuf", "GET", "/v4/threatLists?alt=proto", {}, {"content-type": "text/html"}, b"", "v4.threatLists.list", names)

    diff = "/v1/threatLists:computeDiff"
    asked = {"threatType": "MALWARE", "versionToken": H(four), "constraints": {"maxDiffEntries": 1024, "maxDatabaseEntries": 2048, "supportedCompressions": ["RAW", "RICE"]}}
    query = f"versionToken={std}&constraints.maxDiffEntries=1024&constraints.maxDatabaseEntries=2048"
    compute = "webRisk.threatLists.computeDiff"
    case("Web Risk, by name", "GET", f"{diff}?threatType=MALWARE&{query}&constraints.supportedCompressions=RAW&constraints.supportedCompressions=RICE&key=k", asked, name=compute, answer=text, key="k")
    case("google-cloud: numbers", "GET", f"{diff}?threatType=1&{query}&constraints.supportedCompressions=1&constraints.supportedCompressions=2&$alt=json;enum-encoding=int", asked, name=compute, answer=numbers)
    case("Web Risk in protobuf", "GET", f"{diff}?threatType=1&{query}&constraints.supportedCompressions=1&constraints.supportedCompressions=2&alt=proto", asked, name=compute, answer=names)
    case("a threat type that is not known", "GET", f"{diff}?threatType=LATER", {"threatType": None, "versionToken": H(b""), "constraints": None}, name=compute, answer=text)
    case("a full hash", "GET", f"/v1/hashes:search?hashPrefix={std}&threatTypes=MALWARE&threatTypes=2", {"hashPrefix": H(four), "threatTypes": ["MALWARE", "SOCIAL_ENGINEERING"]}, name="webRisk.hashes.search", answer=text)
    case("a full hash without a prefix", "GET", "/v1/hashes:search?threatTypes=MALWARE", "prefixes-missing")
    case("a URL", "GET", "/v1/uris:search?uri=http%3A%2F%2Fa.example%2F%3Fb%3D1%26c&threatTypes=UNWANTED_SOFTWARE", {"uri": "http://a.example/?b=1&c", "threatTypes": ["UNWANTED_SOFTWARE"]}, name="webRisk.uris.search", answer=text)
    write("requests", "the forms that real clients were seen to send", cases)


OUTPUT.mkdir(parents=True, exist_ok=True)
rice_vectors()
message_vectors()
list_vectors()
request_vectors()
subprocess.run([ROOT / "node_modules/.bin/biome", "format", "--write", OUTPUT], check=True)
