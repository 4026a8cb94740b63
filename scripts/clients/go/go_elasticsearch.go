// Everyday calls of the typed client of go-elasticsearch.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esutil"
	"github.com/elastic/go-elasticsearch/v8/typedapi/types/enums/refresh"
)

const index = "products"

func text(body string) *strings.Reader { return strings.NewReader(body) }

func main() {
	config := elasticsearch.Config{Addresses: []string{url}}
	client, err := elasticsearch.NewTypedClient(config)
	if err != nil {
		panic(err)
	}
	search := func(name, body, part string) {
		expect("Search "+name, client.Search().Index(index).Raw(text(body)).Do, part)
	}
	expect("Info", client.Info().Do, `"number":"`)
	expect("Ping", client.Ping().Do, `true`)
	expect("Indices.Create", client.Indices.Create(index).Raw(text(mapping)).Do, `"acknowledged":true`)
	expect("Indices.Exists", client.Indices.Exists(index).Do, `true`)
	expect("Bulk", client.Bulk().Refresh(refresh.True).Raw(text(bulkBody(index))).Do, `"errors":false`)
	expect("esutil.BulkIndexer", func(ctx context.Context) (esutil.BulkIndexerStats, error) {
		low, err := elasticsearch.NewClient(config)
		if err != nil {
			return esutil.BulkIndexerStats{}, err
		}
		indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{Client: low, Index: "more", Refresh: "true"})
		if err != nil {
			return esutil.BulkIndexerStats{}, err
		}
		for n := 0; n < 50; n++ {
			body := bytes.NewReader([]byte(fmt.Sprintf(`{"n":%d}`, n)))
			if err := indexer.Add(ctx, esutil.BulkIndexerItem{Action: "index", Body: body}); err != nil {
				return esutil.BulkIndexerStats{}, err
			}
		}
		err = indexer.Close(ctx)
		return indexer.Stats(), err
	}, `"NumFlushed":50,"NumFailed":0`)
	expect("Index", client.Index(index).Id("7").Document(products[4]).Do, `"result":"created"`)
	call("Create twice", func() (bool, error) {
		_, err := client.Create(index, "7").Document(products[4]).Do(context.Background())
		return err != nil && strings.Contains(err.Error(), "version_conflict_engine_exception"), nil
	}, func(refused bool) bool { return refused })
	expect("Get", client.Get(index, "7").Do, `"found":true`)
	expect("GetSource", client.GetSource(index, "7").Do, ``)
	expect("Exists", client.Exists(index, "9").Do, `false`)
	expect("Mget", client.Mget().Index(index).Ids("1", "9").Do, `"found":false`)
	expect("Update", client.Update(index, "7").Doc(json.RawMessage(`{"price":21}`)).Do, `"result":"updated"`)
	expect("Update with a script", client.Update(index, "7").Raw(text(`{"script":{"source":"ctx._source.price += 1"}}`)).Do, `"result":"updated"`)
	expect("Delete", client.Delete(index, "7").Refresh(refresh.True).Do, `"result":"deleted"`)
	expect("Count", client.Count().Index(index).Do, `"count":6`)
	search("match", `{"query":{"match":{"title":"running"}}}`, `"total":{"relation":"eq","value":3}`)
	search("bool", `{"query":{"bool":{"must":{"match":{"title":"jacket"}},"filter":{"range":{"price":{"gte":100}}}}}}`, `"value":1}`)
	search("nested", `{"query":{"nested":{"path":"reviews","query":{"match":{"reviews.text":"small"}},"inner_hits":{}}}}`, `"inner_hits":{"reviews"`)
	search("highlight", `{"query":{"match":{"title":"socks"}},"highlight":{"fields":{"title":{}}}}`, `"highlight":{"title":["`)
	search("terms", `{"size":0,"aggs":{"brands":{"terms":{"field":"brand"},"aggs":{"price":{"avg":{"field":"price"}}}}}}`, `"key":"Ardo"`)
	search("date_histogram", `{"size":0,"aggs":{"m":{"date_histogram":{"field":"added","calendar_interval":"month"}}}}`, `2026-03-01T00:00:00.000Z`)
	search("suggest", `{"suggest":{"did":{"text":"runing","term":{"field":"title"}}}}`, `"text":"running"`)
	search("search_after", `{"size":2,"sort":[{"price":"asc"}],"search_after":[15]}`, `"_id":"1"`)
	search("fields", `{"fields":["added"],"_source":false,"script_fields":{"twice":{"script":"doc['price'].value * 2"}}}`, `"twice":[160`)
	expect("Msearch", client.Msearch().Index(index).Raw(text("{}\n{\"query\":{\"term\":{\"brand\":\"Ardo\"}}}\n")).Do, `"value":2}`)
	call("Search with scroll, Scroll, ClearScroll", func() (int, error) {
		ctx := context.Background()
		first, err := client.Search().Index(index).Size(4).Scroll("1m").Do(ctx)
		if err != nil {
			return 0, err
		}
		next, err := client.Scroll().ScrollId(*first.ScrollId_).Scroll("1m").Do(ctx)
		if err != nil {
			return 0, err
		}
		_, err = client.ClearScroll().ScrollId(*next.ScrollId_).Do(ctx)
		return len(first.Hits.Hits) + len(next.Hits.Hits), err
	}, func(count int) bool { return count == 6 })
	call("OpenPointInTime, ClosePointInTime", func() (bool, error) {
		ctx := context.Background()
		pit, err := client.OpenPointInTime(index).KeepAlive("1m").Do(ctx)
		if err != nil {
			return false, err
		}
		found, err := client.Search().Raw(text(fmt.Sprintf(`{"pit":{"id":%q},"sort":["price"]}`, pit.Id))).Do(ctx)
		if err != nil {
			return false, err
		}
		closed, err := client.ClosePointInTime().Id(*found.PitId).Do(ctx)
		return err == nil && closed.Succeeded && len(found.Hits.Hits) == 6, err
	}, func(right bool) bool { return right })
	expect("Explain", client.Explain(index, "1").Raw(text(`{"query":{"match":{"title":"red"}}}`)).Do, `"matched":true`)
	expect("FieldCaps", client.FieldCaps().Index(index).Fields("*").Do, `"price":{"double"`)
	expect("TermsEnum", client.TermsEnum(index).Field("brand").String("A").Do, `"terms":["Ardo"]`)
	expect("Termvectors", client.Termvectors(index).Id("1").Fields("title").Do, `"red":{`)
	expect("Indices.Analyze", client.Indices.Analyze().Index(index).Raw(text(`{"field":"title","text":"Two Words"}`)).Do, `"token":"words"`)
	expect("UpdateByQuery", client.UpdateByQuery(index).Refresh(true).Raw(text(`{"query":{"term":{"brand":"Belm"}},"script":{"source":"ctx._source.sale = true"}}`)).Do, `"updated":2`)
	expect("Reindex", client.Reindex().Refresh(true).Raw(text(`{"source":{"index":"products"},"dest":{"index":"copies"}}`)).Do, `"created":6`)
	expect("DeleteByQuery", client.DeleteByQuery("copies").Raw(text(`{"query":{"range":{"price":{"lt":50}}}}`)).Do, `"deleted":2`)
	expect("Indices.PutMapping", client.Indices.PutMapping(index).Raw(text(`{"properties":{"color":{"type":"keyword"}}}`)).Do, `"acknowledged":true`)
	expect("Indices.GetMapping", client.Indices.GetMapping().Index(index).Do, `"color":{`)
	expect("Indices.PutSettings", client.Indices.PutSettings().Indices(index).Raw(text(`{"index":{"refresh_interval":"5s"}}`)).Do, `"acknowledged":true`)
	expect("Indices.GetSettings", client.Indices.GetSettings().Index(index).Do, `"refresh_interval":"5s"`)
	expect("Indices.UpdateAliases", client.Indices.UpdateAliases().Raw(text(`{"actions":[{"add":{"index":"products","alias":"shop"}}]}`)).Do, `"acknowledged":true`)
	expect("Indices.GetAlias", client.Indices.GetAlias().Name("shop").Do, `"products":{`)
	expect("Indices.PutIndexTemplate", client.Indices.PutIndexTemplate("logs").Raw(text(`{"index_patterns":["logs-*"]}`)).Do, `"acknowledged":true`)
	expect("Indices.GetIndexTemplate", client.Indices.GetIndexTemplate().Do, `"name":"logs"`)
	expect("Indices.Refresh", client.Indices.Refresh().Do, `"failed":0`)
	expect("Indices.Stats", client.Indices.Stats().Do, `"_all":{`)
	expect("PutScript", client.PutScript("by-brand").Raw(text(`{"script":{"lang":"mustache","source":"{\"query\":{\"term\":{\"brand\":\"{{brand}}\"}}}"}}`)).Do, `"acknowledged":true`)
	expect("SearchTemplate", client.SearchTemplate().Index(index).Raw(text(`{"id":"by-brand","params":{"brand":"Ardo"}}`)).Do, `"value":2}`)
	expect("Cat.Indices", client.Cat.Indices().Do, `"index":"products"`)
	expect("Cat.Health", client.Cat.Health().Do, `"cluster":"octavo"`)
	expect("Cluster.Health", client.Cluster.Health().Do, `"cluster_name":"octavo"`)
	expect("Cluster.Stats", client.Cluster.Stats().Do, `"cluster_name":"octavo"`)
	expect("Nodes.Info", client.Nodes.Info().Do, `"nodes":{`)
	expect("Nodes.Stats", client.Nodes.Stats().Do, `"nodes":{`)
	expect("Tasks.List", client.Tasks.List().Do, `{`)
	expect("License.Get", client.License.Get().Do, `"basic"`)
	expect("Xpack.Info", client.Xpack.Info().Do, `"features":{`)
	expect("Xpack.Usage", client.Xpack.Usage().Do, `"ml":{`)
	expect("Indices.Delete", client.Indices.Delete("copies").Do, `"acknowledged":true`)
}
