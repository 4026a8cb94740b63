"""Posts an item, lists the feed, reads its event and searches, with the generated client."""

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

    # The generated method reads a stream of events as one text; a page of them is JSON.
    events = octavo.EventsApi(client)
    reply = events.follow_events_without_preload_content(after="0", types=["item.*"], format="json")
    page = octavo.EventList.from_json(reply.read().decode())
    made = [event.actual_instance for event in page.items]
    assert all(isinstance(event, octavo.ItemCreatedEvent) for event in made)
    assert posted.id in [event.data.id for event in made]

    search = octavo.SearchApi(client)
    search.put_document("python", "1", {"title": "The first"})
    found = search.search("python", search_body=octavo.SearchBody(query={"match": {"title": "first"}}))
    assert [hit.id for hit in found.hits.hits] == ["1"]

    try:
        feed.get_item("019aab3f-6e1c-7d40-9a51-000000000001", feed="python")
        raise AssertionError("an item that was never posted was found")
    except NotFoundException as error:
        assert error.data.code == "item-not-found"

print("posted, listed, read an event, searched, and read an error")
