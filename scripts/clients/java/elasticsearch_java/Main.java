// Everyday calls of elasticsearch-java.

import java.util.List;
import java.util.Map;
import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch._types.aggregations.CalendarInterval;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.SearchRequest;
import co.elastic.clients.elasticsearch.core.SearchResponse;
import co.elastic.clients.elasticsearch.core.search.HighlightField;
import co.elastic.clients.elasticsearch.indices.CreateIndexRequest;
import co.elastic.clients.util.NamedValue;

public final class Main {
    private static final String INDEX = Calls.INDEX;
    private static ElasticsearchClient client;

    private static SearchResponse<Calls.Product> search(SearchRequest.Builder request) throws Exception {
        return client.search(request.index(INDEX).build(), Calls.Product.class);
    }

    private static SearchRequest.Builder match(String field, String text) {
        return new SearchRequest.Builder().query(q -> q.match(m -> m.field(field).query(FieldValue.of(text))));
    }

    private static Query term(String field, String value) {
        return Query.of(q -> q.term(t -> t.field(field).value(FieldValue.of(value))));
    }

    private static boolean hits(SearchResponse<?> found, long count) {
        return found.hits().total().value() == count;
    }

    private static boolean isRefused() throws Exception {
        try {
            client.create(c -> c.index(INDEX).id("7").document(Calls.PRODUCTS.get(4)));
            return false;
        } catch (ElasticsearchException refused) {
            return refused.status() == 409;
        }
    }

    public static void main(String[] args) throws Exception {
        client = ElasticsearchClient.of(c -> c.host(args[0]));
        Calls.call("info", () -> client.info(), r -> r.version().number().startsWith("8."));
        Calls.call("ping", () -> client.ping(), r -> r.value());
        Calls.call("indices.create", () -> client.indices().create(new CreateIndexRequest.Builder().index(INDEX).withJson(Calls.json(Calls.CREATE)).build()), r -> r.acknowledged());
        Calls.call("indices.exists", () -> client.indices().exists(e -> e.index(INDEX)), r -> r.value());
        Calls.call("bulk", () -> {
            var bulk = new BulkRequest.Builder().refresh(Refresh.True);
            for (int n = 0; n < Calls.PRODUCTS.size(); n++) {
                String id = String.valueOf(n + 1);
                Calls.Product product = Calls.PRODUCTS.get(n);
                bulk.operations(o -> o.index(i -> i.index(INDEX).id(id).document(product)));
            }
            return client.bulk(bulk.build());
        }, r -> !r.errors() && r.items().size() == 6);
        Calls.call("index", () -> client.index(i -> i.index(INDEX).id("7").document(Calls.PRODUCTS.get(4))), r -> r.result().jsonValue().equals("created"));
        Calls.call("create twice", Main::isRefused, refused -> refused);
        Calls.call("get", () -> client.get(g -> g.index(INDEX).id("7"), Calls.Product.class), r -> r.source().title().equals("Wool socks"));
        Calls.call("exists", () -> client.exists(e -> e.index(INDEX).id("9")), r -> !r.value());
        Calls.call("mget", () -> client.mget(m -> m.index(INDEX).ids("1", "9"), Calls.Product.class), r -> r.docs().size() == 2);
        Calls.call("update", () -> client.update(u -> u.index(INDEX).id("7").doc(Map.of("price", 21)), Calls.Product.class), r -> r.result().jsonValue().equals("updated"));
        Calls.call("delete", () -> client.delete(d -> d.index(INDEX).id("7").refresh(Refresh.True)), r -> r.result().jsonValue().equals("deleted"));
        Calls.call("count", () -> client.count(c -> c.index(INDEX)), r -> r.count() == 6);
        Calls.call("search match", () -> search(match("title", "running")), r -> hits(r, 3));
        Calls.call("search bool", () -> search(new SearchRequest.Builder().query(q -> q.bool(b -> b
                .must(m -> m.match(t -> t.field("title").query(FieldValue.of("jacket"))))
                .filter(f -> f.range(t -> t.number(v -> v.field("price").gte(100.0))))))), r -> hits(r, 1));
        Calls.call("search nested", () -> search(new SearchRequest.Builder().query(q -> q.nested(n -> n.path("reviews")
                .query(i -> i.match(t -> t.field("reviews.text").query(FieldValue.of("small")))).innerHits(h -> h)))), r -> r.hits().hits().get(0).innerHits().size() == 1);
        Calls.call("search highlight", () -> search(match("title", "socks").highlight(h -> h.fields(NamedValue.of("title", HighlightField.of(f -> f))))), r -> r.hits().hits().get(0).highlight().get("title").get(0).contains("<em>"));
        Calls.call("search terms", () -> search(new SearchRequest.Builder().size(0).aggregations("brands", a -> a.terms(t -> t.field("brand")).aggregations("price", p -> p.avg(v -> v.field("price"))))),
                r -> r.aggregations().get("brands").sterms().buckets().array().get(0).aggregations().get("price").avg().value() == 100);
        Calls.call("search date_histogram", () -> search(new SearchRequest.Builder().size(0).aggregations("months", a -> a.dateHistogram(d -> d.field("added").calendarInterval(CalendarInterval.Month)))),
                r -> r.aggregations().get("months").dateHistogram().buckets().array().size() == 3);
        Calls.call("search stats, percentiles", () -> search(new SearchRequest.Builder().size(0).aggregations("s", a -> a.stats(s -> s.field("price"))).aggregations("p", a -> a.percentiles(p -> p.field("price")))),
                r -> r.aggregations().get("s").stats().max() == 120 && r.aggregations().get("p").isTdigestPercentiles());
        Calls.call("search suggest", () -> search(new SearchRequest.Builder().suggest(s -> s.suggesters("did", d -> d.text("runing").term(t -> t.field("title"))))),
                r -> r.suggest().get("did").get(0).term().options().get(0).text().equals("running"));
        Calls.call("search completion", () -> search(new SearchRequest.Builder().suggest(s -> s.suggesters("c", d -> d.prefix("red").completion(t -> t.field("names"))))),
                r -> r.suggest().get("c").get(0).completion().options().size() == 2);
        Calls.call("search sort", () -> search(new SearchRequest.Builder().size(2).sort(s -> s.field(f -> f.field("price").order(SortOrder.Desc)))), r -> r.hits().hits().get(0).id().equals("2"));
        Calls.call("search collapse", () -> search(new SearchRequest.Builder().collapse(c -> c.field("brand"))), r -> r.hits().hits().size() == 3);
        Calls.call("msearch", () -> client.msearch(m -> m.searches(s -> s.header(h -> h.index(INDEX)).body(b -> b.query(term("brand", "Ardo")))), Calls.Product.class),
                r -> r.responses().get(0).result().hits().total().value() == 2);
        Calls.call("scroll, clearScroll", () -> {
            var first = search(new SearchRequest.Builder().size(4).scroll(t -> t.time("1m")));
            var next = client.scroll(s -> s.scrollId(first.scrollId()).scroll(t -> t.time("1m")), Calls.Product.class);
            return client.clearScroll(c -> c.scrollId(next.scrollId())).succeeded() ? first.hits().hits().size() + next.hits().hits().size() : 0;
        }, count -> count == 6);
        Calls.call("openPointInTime, closePointInTime", () -> {
            String pit = client.openPointInTime(p -> p.index(INDEX).keepAlive(t -> t.time("1m"))).id();
            var found = client.search(s -> s.pit(p -> p.id(pit)).sort(o -> o.field(f -> f.field("price"))), Calls.Product.class);
            return client.closePointInTime(c -> c.id(found.pitId())).succeeded() ? found.hits().hits().size() : 0;
        }, count -> count == 6);
        Calls.call("explain", () -> client.explain(e -> e.index(INDEX).id("1").query(q -> q.match(m -> m.field("title").query(FieldValue.of("red")))), Calls.Product.class), r -> r.matched());
        Calls.call("fieldCaps", () -> client.fieldCaps(f -> f.index(INDEX).fields("*")), r -> r.fields().get("price").get("double").aggregatable());
        Calls.call("indices.analyze", () -> client.indices().analyze(a -> a.index(INDEX).field("title").text("Two Words")), r -> r.tokens().size() == 2);
        Calls.call("updateByQuery", () -> client.updateByQuery(u -> u.index(INDEX).refresh(true).query(term("brand", "Belm")).script(s -> s.source(i -> i.scriptString("ctx._source.price += 1")))), r -> r.updated() == 2);
        Calls.call("reindex", () -> client.reindex(r -> r.refresh(true).source(s -> s.index(INDEX)).dest(d -> d.index("copies"))), r -> r.created() == 6);
        Calls.call("deleteByQuery", () -> client.deleteByQuery(d -> d.index("copies").query(term("title", "socks"))), r -> r.deleted() == 2);
        Calls.call("indices.putMapping", () -> client.indices().putMapping(m -> m.index(INDEX).properties("color", p -> p.keyword(k -> k))), r -> r.acknowledged());
        Calls.call("indices.getMapping", () -> client.indices().getMapping(m -> m.index(INDEX)), r -> r.mappings().get(INDEX).mappings().properties().containsKey("color"));
        Calls.call("indices.getSettings", () -> client.indices().getSettings(s -> s.index(INDEX)), r -> r.settings().containsKey(INDEX));
        Calls.call("indices.updateAliases", () -> client.indices().updateAliases(u -> u.actions(a -> a.add(d -> d.index(INDEX).alias("shop")))), r -> r.acknowledged());
        Calls.call("indices.getAlias", () -> client.indices().getAlias(a -> a.name("shop")), r -> r.aliases().containsKey(INDEX));
        Calls.call("indices.putIndexTemplate", () -> client.indices().putIndexTemplate(t -> t.name("logs").indexPatterns("logs-*")), r -> r.acknowledged());
        Calls.call("indices.getIndexTemplate", () -> client.indices().getIndexTemplate(t -> t.name("logs")), r -> r.indexTemplates().size() == 1);
        Calls.call("indices.refresh", () -> client.indices().refresh(), r -> r.shards().failed().intValue() == 0);
        Calls.call("indices.stats", () -> client.indices().stats(s -> s.index(INDEX)), r -> r.all().primaries().docs().count() > 0);
        Calls.call("cat.indices", () -> client.cat().indices(), r -> r.indices().size() == 2);
        Calls.call("cat.health", () -> client.cat().health(), r -> r.healthRecords().size() == 1);
        Calls.call("cluster.health", () -> client.cluster().health(), r -> !r.status().jsonValue().equals("red"));
        Calls.call("cluster.stats", () -> client.cluster().stats(), r -> r.clusterName().equals("octavo"));
        Calls.call("nodes.info", () -> client.nodes().info(), r -> r.nodes().size() == 1);
        Calls.call("nodes.stats", () -> client.nodes().stats(), r -> r.nodes().size() == 1);
        Calls.call("termsEnum", () -> client.termsEnum(t -> t.index(INDEX).field("brand").string("A")), r -> r.terms().equals(List.of("Ardo")));
        Calls.call("license.get", () -> client.license().get(), r -> r.license().status().jsonValue().equals("active"));
        Calls.call("xpack.info", () -> client.xpack().info(), r -> r.tagline() != null);
        Calls.call("indices.delete", () -> client.indices().delete(d -> d.index("copies")), r -> r.acknowledged());
        client.close();
    }
}
