"""Posts an item, lists the feed and searches, with the generated client."""

import sys

import openapi_client as octavo
from openapi_client.exceptions import NotFoundException

with octavo.ApiClient(octavo.Configuration(host=sys.argv[1])) as client:
    feed = octavo.FeedApi(client)
    mention = octavo.Entity(kind="user", username="ada", start=0, end=3)
    posted = feed.post_item(octavo.EntryInput(author="bob", text="Ada was here", entities=[mention]), feed="python")
    listed = feed.list_feed(feed="python")
    assert [item.id for item in listed.items] == [posted.id]
    assert listed.items[0].entities[0].username == "ada"

    search = octavo.SearchApi(client)
    search.put_document("python", "1", {"title": "The first"})
    found = search.search("python", search_body=octavo.SearchBody(query={"match": {"title": "first"}}))
    assert [hit.id for hit in found.hits.hits] == ["1"]

    try:
        feed.get_item("019aab3f-6e1c-7d40-9a51-000000000001", feed="python")
        raise AssertionError("an item that was never posted was found")
    except NotFoundException as error:
        assert error.data.code == "item-not-found"

print("posted, listed, searched, and read an error")
