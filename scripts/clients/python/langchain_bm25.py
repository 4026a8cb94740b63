# LangChain's BM25 retriever over an index.

from calls import TITLES, URL, call
from elasticsearch import Elasticsearch
from langchain_community.retrievers import ElasticSearchBM25Retriever

TEXTS = [title for title, *_ in TITLES]
made = {}


def create():
    made["retriever"] = ElasticSearchBM25Retriever.create(URL, "texts", k1=1.2, b=0.5)
    return made["retriever"]


call("create", create)
call("add_texts", lambda: made["retriever"].add_texts(TEXTS), lambda ids: len(ids) == 6)
call("invoke", lambda: made["retriever"].invoke("red jacket"), lambda found: found[0].page_content == "Red rain jacket")
call("batch", lambda: made["retriever"].batch(["socks", "trail"]), lambda found: [len(each) for each in found] == [2, 1])
call(
    "a retriever of an index that exists",
    lambda: ElasticSearchBM25Retriever(client=Elasticsearch(URL), index_name="texts").invoke("wool"),
    lambda found: len(found) == 1,
)
