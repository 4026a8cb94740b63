# elasticsearch-dsl: documents as classes, searches, aggregations, facets.

from calls import PRODUCTS, URL, call
from elasticsearch_dsl import (
    A,
    Completion,
    Date,
    Document,
    Double,
    FacetedSearch,
    InnerDoc,
    Integer,
    Keyword,
    MultiSearch,
    Nested,
    Q,
    Search,
    TermsFacet,
    Text,
    UpdateByQuery,
    connections,
)

connections.create_connection(hosts=[URL])


class Review(InnerDoc):
    stars = Integer()
    text = Text()


class Product(Document):
    title = Text(fields={"raw": Keyword()})
    brand = Keyword()
    price = Double()
    added = Date()
    names = Completion()
    reviews = Nested(Review)

    class Index:
        name = "products"
        settings = {"number_of_replicas": 0}


class Brands(FacetedSearch):
    index = "products"
    doc_types = [Product]
    fields = ["title"]
    facets = {"brand": TermsFacet(field="brand")}


def saved():
    for n, product in enumerate(PRODUCTS):
        Product(meta={"id": str(n + 1)}, **product).save()
    return Product._index.refresh()


def updated():
    product = Product.get(id="1")
    product.update(price=81, refresh=True)
    return Product.get(id="1")


def search():
    return Product.search()


def several():
    many = MultiSearch().add(search().query("match", title="red")).add(search().filter("term", brand="Corin"))
    return [response.hits.total.value for response in many.execute()]


def by_brand():
    pages = search()[0:0]
    pages.aggs.bucket("brands", "terms", field="brand").metric("price", "avg", field="price")
    return pages.execute().aggregations.brands.buckets


def by_month():
    pages = search()[0:0]
    pages.aggs.bucket("months", A("date_histogram", field="added", calendar_interval="month"))
    return pages.execute().aggregations.months.buckets


call("Document.init", Product.init)
call("Document.save", saved)
call("Document.get", lambda: Product.get(id="2"), lambda p: p.title == "Blue running jacket" and p.reviews[0].stars == 2)
call("Document.mget", lambda: Product.mget(["1", "2"]), lambda found: len(found) == 2)
call("Document.exists", lambda: Product.exists(id="9"), lambda found: not found)
call("Document.update", updated, lambda p: p.price == 81)
call("Search.query", lambda: search().query("match", title="running").execute(), lambda r: r.hits.total.value == 3)
call("Search.count", lambda: search().filter("range", price={"gte": 100}).count(), lambda n: n == 2)
call("Search with Q", lambda: search().query(Q("match", title="red") & ~Q("term", brand="Belm")).execute(), lambda r: len(r) == 1)
call("Search.exclude", lambda: search().exclude("term", brand="Ardo").count(), lambda n: n == 4)
call("Search nested", lambda: search().query("nested", path="reviews", query=Q("match", reviews__text="small")).count(), lambda n: n == 3)
call("Search.highlight", lambda: search().query("match", title="socks").highlight("title").execute(), lambda r: "<em>" in r[0].meta.highlight.title[0])
call("Search.sort", lambda: search().sort("-price")[0:2].execute(), lambda r: r[0].meta.id == "2")
call("Search.source", lambda: search().source(["brand"]).execute(), lambda r: "title" not in r[0].to_dict())
call("Search.suggest", lambda: search().suggest("did", "runing", term={"field": "title"}).execute(), lambda r: r.suggest.did[0].options[0].text == "running")
call("Search.scan", lambda: list(search().scan()), lambda found: len(found) == 6)
call("Search.iterate", lambda: list(search().sort("price").iterate()), lambda found: len(found) == 6)
call("Search.collapse", lambda: search().collapse("brand").execute(), lambda r: len(r) == 3)
call("Search.script_fields", lambda: search().script_fields(twice={"script": "doc['price'].value * 2"}).execute(), lambda r: len(r) == 6)
call("aggs terms", by_brand, lambda buckets: buckets[0].doc_count == 2)
call("aggs date_histogram", by_month, lambda buckets: len(buckets) == 3)
call("MultiSearch", several, lambda totals: totals == [2, 2])
call("FacetedSearch", lambda: Brands("red").execute(), lambda r: len(r.facets.brand) == 2)
call("FacetedSearch with a filter", lambda: Brands("red", {"brand": "Belm"}).execute(), lambda r: len(r) == 1)
call("UpdateByQuery", lambda: UpdateByQuery(index="products").query("term", brand="Belm").script(source="ctx._source.price += 1").params(refresh=True).execute(), lambda r: r.updated == 2)
call("Search.delete", lambda: Search(index="products").query("term", brand="Corin").params(refresh=True).delete(), lambda r: r.deleted == 2)
call("Document.delete", lambda: Product.get(id="1").delete())
