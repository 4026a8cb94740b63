# Everyday calls of elasticsearch-py.

from calls import MAPPINGS, PRODUCTS, URL, call
from elasticsearch import Elasticsearch, NotFoundError, helpers

client = Elasticsearch(URL)
INDEX = "products"


def search(**params):
    return client.search(index=INDEX, **params)


def total(answer):
    return answer["hits"]["total"]["value"]


def missing(run):
    try:
        run()
    except NotFoundError:
        return True
    return False


def point_in_time():
    pit = client.open_point_in_time(index=INDEX, keep_alive="1m")["id"]
    found = client.search(size=2, pit={"id": pit}, sort=["price"])
    client.close_point_in_time(id=found["pit_id"])
    return len(found["hits"]["hits"])


call("info", client.info, lambda r: "number" in r["version"])
call("ping", client.ping)
call("indices.create", lambda: client.indices.create(index=INDEX, mappings=MAPPINGS), lambda r: r["acknowledged"])
call("indices.exists", lambda: client.indices.exists(index=INDEX), bool)
call(
    "helpers.bulk",
    lambda: helpers.bulk(
        client, [{"_index": INDEX, "_id": str(n + 1), **doc} for n, doc in enumerate(PRODUCTS)], refresh=True
    ),
    lambda r: r[0] == 6,
)
call(
    "helpers.parallel_bulk",
    lambda: list(helpers.parallel_bulk(client, [{"_index": "more", "n": n} for n in range(50)], chunk_size=10)),
    lambda r: len(r) == 50 and all(ok for ok, _ in r),
)
call(
    "index",
    lambda: client.index(index=INDEX, id="7", document={"title": "Green hat", "brand": "Corin", "price": 20}, refresh=True),
    lambda r: r["result"] == "created",
)
call("get", lambda: client.get(index=INDEX, id="7"), lambda r: r["_source"]["title"] == "Green hat")
call("get_source", lambda: client.get_source(index=INDEX, id="7"), lambda r: r["price"] == 20)
call("exists", lambda: client.exists(index=INDEX, id="9"), lambda r: not r)
call("get missing", lambda: missing(lambda: client.get(index=INDEX, id="9")), bool)
call("mget", lambda: client.mget(index=INDEX, ids=["1", "9"]), lambda r: [d["found"] for d in r["docs"]] == [True, False])
call("update", lambda: client.update(index=INDEX, id="7", doc={"price": 21}), lambda r: r["result"] == "updated")
call(
    "update with script",
    lambda: client.update(
        index=INDEX, id="7", refresh=True, script={"source": "ctx._source.price += params.more", "params": {"more": 4}}
    ),
    lambda r: r["result"] == "updated",
)
call("delete", lambda: client.delete(index=INDEX, id="7", refresh=True), lambda r: r["result"] == "deleted")
call("count", lambda: client.count(index=INDEX), lambda r: r["count"] == 6)
call("search match", lambda: search(query={"match": {"title": "running"}}), lambda r: total(r) == 3)
call("search query_string", lambda: search(query={"query_string": {"query": "title:red AND price:[90 TO *]"}}), lambda r: total(r) == 1)
call(
    "search bool",
    lambda: search(query={"bool": {"must": [{"match": {"title": "jacket"}}], "filter": [{"range": {"price": {"gte": 100}}}]}}),
    lambda r: total(r) == 1,
)
call(
    "search nested",
    lambda: search(query={"nested": {"path": "reviews", "query": {"match": {"reviews.text": "small"}}, "inner_hits": {}}}),
    lambda r: r["hits"]["hits"][0]["inner_hits"]["reviews"]["hits"]["total"]["value"] == 1,
)
call(
    "search highlight",
    lambda: search(query={"match": {"title": "socks"}}, highlight={"fields": {"title": {}}}),
    lambda r: all("<em>" in hit["highlight"]["title"][0] for hit in r["hits"]["hits"]),
)
call(
    "search terms",
    lambda: search(size=0, aggs={"brands": {"terms": {"field": "brand"}, "aggs": {"price": {"avg": {"field": "price"}}}}}),
    lambda r: r["aggregations"]["brands"]["buckets"][0]["price"]["value"] == 100,
)
call(
    "search date_histogram",
    lambda: search(size=0, aggs={"months": {"date_histogram": {"field": "added", "calendar_interval": "month"}}}),
    lambda r: len(r["aggregations"]["months"]["buckets"]) == 3,
)
call(
    "search nested aggregation",
    lambda: search(
        size=0,
        aggs={"reviews": {"nested": {"path": "reviews"}, "aggs": {"stars": {"stats": {"field": "reviews.stars"}}}}},
    ),
    lambda r: r["aggregations"]["reviews"]["stars"]["max"] == 5,
)
call(
    "search suggest",
    lambda: search(suggest={"did": {"text": "runing", "term": {"field": "title"}}}),
    lambda r: r["suggest"]["did"][0]["options"][0]["text"] == "running",
)
call(
    "search completion",
    lambda: search(suggest={"c": {"prefix": "red", "completion": {"field": "names"}}}),
    lambda r: len(r["suggest"]["c"][0]["options"]) == 2,
)
call("search search_after", lambda: search(size=2, sort=[{"price": "asc"}], search_after=[15]), lambda r: r["hits"]["hits"][0]["_id"] == "1")
call(
    "msearch",
    lambda: client.msearch(searches=[{"index": INDEX}, {"query": {"term": {"brand": "Ardo"}}}]),
    lambda r: total(r["responses"][0]) == 2,
)
call("helpers.scan", lambda: list(helpers.scan(client, index=INDEX, size=2)), lambda r: len(r) == 6)
call("point in time", point_in_time, lambda r: r == 2)
call("explain", lambda: client.explain(index=INDEX, id="1", query={"match": {"title": "red"}}), lambda r: r["matched"])
call("field_caps", lambda: client.field_caps(index=INDEX, fields="*"), lambda r: "double" in r["fields"]["price"])
call("termvectors", lambda: client.termvectors(index=INDEX, id="1", fields=["title"]), lambda r: "red" in r["term_vectors"]["title"]["terms"])
call(
    "indices.analyze",
    lambda: client.indices.analyze(index=INDEX, field="title", text="Two Words"),
    lambda r: len(r["tokens"]) == 2,
)
call(
    "update_by_query",
    lambda: client.update_by_query(
        index=INDEX, refresh=True, query={"term": {"brand": "Belm"}}, script={"source": "ctx._source.sale = true"}
    ),
    lambda r: r["updated"] == 2,
)
call(
    "reindex",
    lambda: client.reindex(refresh=True, source={"index": INDEX}, dest={"index": "copies"}),
    lambda r: r["created"] == 6,
)
call("helpers.reindex", lambda: helpers.reindex(client, INDEX, "copies-2"), lambda r: r[0] == 6)
call(
    "delete_by_query",
    lambda: client.delete_by_query(index="copies", query={"range": {"price": {"lt": 50}}}),
    lambda r: r["deleted"] == 2,
)
call(
    "indices.put_mapping",
    lambda: client.indices.put_mapping(index=INDEX, properties={"color": {"type": "keyword"}}),
    lambda r: r["acknowledged"],
)
call("indices.get_mapping", lambda: client.indices.get_mapping(index=INDEX), lambda r: "color" in r[INDEX]["mappings"]["properties"])
call(
    "indices.put_settings",
    lambda: client.indices.put_settings(index=INDEX, settings={"index": {"refresh_interval": "5s"}}),
    lambda r: r["acknowledged"],
)
call("indices.get_settings", lambda: client.indices.get_settings(index=INDEX), lambda r: r[INDEX]["settings"]["index"]["refresh_interval"] == "5s")
call(
    "indices.update_aliases",
    lambda: client.indices.update_aliases(actions=[{"add": {"index": INDEX, "alias": "shop"}}]),
    lambda r: r["acknowledged"],
)
call("indices.get_alias", lambda: client.indices.get_alias(name="shop"), lambda r: INDEX in r)
call(
    "indices.put_index_template",
    lambda: client.indices.put_index_template(
        name="logs", index_patterns=["logs-*"], template={"settings": {"number_of_replicas": 0}}
    ),
    lambda r: r["acknowledged"],
)
call("indices.get", lambda: client.indices.get(index="*"), lambda r: INDEX in r)
call("indices.stats", lambda: client.indices.stats(index=INDEX), lambda r: r["_all"]["primaries"]["docs"]["count"] > 0)
call("cat.indices", lambda: client.cat.indices(format="json"), lambda r: any(row["index"] == INDEX for row in r))
call("cat.count", lambda: client.cat.count(index=INDEX, format="json"), lambda r: r[0]["count"] == "6")
call("cluster.health", lambda: client.cluster.health(wait_for_status="yellow"), lambda r: r["status"] != "red")
call("cluster.state", lambda: client.cluster.state(metric="metadata"), lambda r: INDEX in r["metadata"]["indices"])
call("nodes.stats", client.nodes.stats, lambda r: len(r["nodes"]) == 1)
call("tasks.list", client.tasks.list, lambda r: "nodes" in r)
call(
    "put_script",
    lambda: client.put_script(id="by-brand", script={"lang": "mustache", "source": '{"query":{"term":{"brand":"{{brand}}"}}}'}),
    lambda r: r["acknowledged"],
)
call(
    "search_template",
    lambda: client.search_template(index=INDEX, id="by-brand", params={"brand": "Ardo"}),
    lambda r: total(r) == 2,
)
call("indices.delete", lambda: client.indices.delete(index="copies"), lambda r: r["acknowledged"])
call("license.get", client.license.get, lambda r: r["license"]["status"] == "active")
call("xpack.usage", client.xpack.usage, lambda r: isinstance(r.body, dict))
