// Everyday calls of opensearch-go.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/opensearch-project/opensearch-go/v4"
	api "github.com/opensearch-project/opensearch-go/v4/opensearchapi"
)

const index = "products"

var ctx = context.Background()

func text(body string) *strings.Reader { return strings.NewReader(body) }

func main() {
	client, err := api.NewClient(api.Config{Client: opensearch.Config{Addresses: []string{url}}})
	if err != nil {
		panic(err)
	}
	yes := true
	search := func(body string) func() (*api.SearchResp, error) {
		return func() (*api.SearchResp, error) {
			return client.Search(ctx, &api.SearchReq{Indices: []string{index}, Body: text(body)})
		}
	}
	hits := func(count int) func(*api.SearchResp) bool {
		return func(r *api.SearchResp) bool { return r.Hits.Total.Value == count }
	}
	status := func(wanted int) func(*opensearch.Response) bool {
		return func(r *opensearch.Response) bool { return r.StatusCode == wanted }
	}
	call("Info", func() (*api.InfoResp, error) { return client.Info(ctx, nil) },
		func(r *api.InfoResp) bool { return r.Version.Distribution == "opensearch" })
	call("Ping", func() (*opensearch.Response, error) { return client.Ping(ctx, nil) }, status(200))
	call("Indices.Create", func() (*api.IndicesCreateResp, error) {
		return client.Indices.Create(ctx, api.IndicesCreateReq{Index: index, Body: text(mapping)})
	}, func(r *api.IndicesCreateResp) bool { return r.Acknowledged })
	call("Indices.Exists", func() (*opensearch.Response, error) {
		return client.Indices.Exists(ctx, api.IndicesExistsReq{Indices: []string{index}})
	}, status(200))
	call("Bulk", func() (*api.BulkResp, error) {
		return client.Bulk(ctx, api.BulkReq{Body: text(bulkBody(index)), Params: api.BulkParams{Refresh: "true"}})
	}, func(r *api.BulkResp) bool { return !r.Errors && len(r.Items) == 6 })
	call("Index", func() (*api.IndexResp, error) {
		return client.Index(ctx, api.IndexReq{Index: index, DocumentID: "7", Body: text(`{"title":"Green hat","price":20}`)})
	}, func(r *api.IndexResp) bool { return r.Result == "created" })
	call("Document.Create", func() (bool, error) {
		_, err := client.Document.Create(ctx, api.DocumentCreateReq{Index: index, DocumentID: "7", Body: text(`{}`)})
		return err != nil && strings.Contains(err.Error(), "version_conflict_engine_exception"), nil
	}, func(refused bool) bool { return refused })
	call("Document.Get", func() (*api.DocumentGetResp, error) {
		return client.Document.Get(ctx, api.DocumentGetReq{Index: index, DocumentID: "7"})
	}, func(r *api.DocumentGetResp) bool { return r.Found && strings.Contains(string(r.Source), "Green hat") })
	call("Document.Source", func() (*api.DocumentSourceResp, error) {
		return client.Document.Source(ctx, api.DocumentSourceReq{Index: index, DocumentID: "7"})
	}, func(r *api.DocumentSourceResp) bool { return strings.Contains(string(r.Source), "Green hat") })
	call("Document.Exists", func() (*opensearch.Response, error) {
		return client.Document.Exists(ctx, api.DocumentExistsReq{Index: index, DocumentID: "7"})
	}, status(200))
	call("MGet", func() (*api.MGetResp, error) {
		return client.MGet(ctx, api.MGetReq{Index: index, Body: text(`{"ids":["1","9"]}`)})
	}, func(r *api.MGetResp) bool { return r.Docs[0].Found && !r.Docs[1].Found })
	call("Update", func() (*api.UpdateResp, error) {
		return client.Update(ctx, api.UpdateReq{Index: index, DocumentID: "7", Body: text(`{"doc":{"price":21}}`)})
	}, func(r *api.UpdateResp) bool { return r.Result == "updated" })
	call("Update with a script", func() (*api.UpdateResp, error) {
		return client.Update(ctx, api.UpdateReq{Index: index, DocumentID: "7", Body: text(`{"script":{"source":"ctx._source.price += 1"}}`)})
	}, func(r *api.UpdateResp) bool { return r.Result == "updated" })
	call("Document.Delete", func() (*api.DocumentDeleteResp, error) {
		return client.Document.Delete(ctx, api.DocumentDeleteReq{Index: index, DocumentID: "7", Params: api.DocumentDeleteParams{Refresh: "true"}})
	}, func(r *api.DocumentDeleteResp) bool { return r.Result == "deleted" })
	call("Indices.Refresh", func() (*api.IndicesRefreshResp, error) { return client.Indices.Refresh(ctx, nil) },
		func(r *api.IndicesRefreshResp) bool { return strings.Contains(string(r.Shards), `"failed":0`) })
	call("Indices.Count", func() (*api.IndicesCountResp, error) {
		return client.Indices.Count(ctx, &api.IndicesCountReq{Indices: []string{index}})
	}, func(r *api.IndicesCountResp) bool { return r.Count == 6 })
	call("Search match", search(`{"query":{"match":{"title":"running"}}}`), hits(3))
	call("Search bool", search(`{"query":{"bool":{"must":{"match":{"title":"jacket"}},"filter":{"range":{"price":{"gte":100}}}}}}`), hits(1))
	call("Search nested", search(`{"query":{"nested":{"path":"reviews","query":{"match":{"reviews.text":"small"}},"inner_hits":{}}}}`),
		func(r *api.SearchResp) bool { return len(r.Hits.Hits[0].InnerHits["reviews"].Hits.Hits) == 1 })
	call("Search highlight", search(`{"query":{"match":{"title":"socks"}},"highlight":{"fields":{"title":{}}}}`),
		func(r *api.SearchResp) bool { return strings.Contains(r.Hits.Hits[0].Highlight["title"][0], "<em>") })
	call("Search aggregations", search(`{"size":0,"aggs":{"brands":{"terms":{"field":"brand"},"aggs":{"price":{"avg":{"field":"price"}}}}}}`),
		func(r *api.SearchResp) bool {
			return strings.Contains(string(r.Aggregations), `"key":"Ardo","doc_count":2,"price":{"value":100`)
		})
	call("Search suggest", search(`{"suggest":{"did":{"text":"runing","term":{"field":"title"}}}}`),
		func(r *api.SearchResp) bool { return r.Suggest["did"][0].Options[0].Text == "running" })
	call("Search completion", search(`{"suggest":{"c":{"prefix":"red","completion":{"field":"names"}}}}`),
		func(r *api.SearchResp) bool { return len(r.Suggest["c"][0].Options) == 2 })
	call("Search explain", search(`{"explain":true,"query":{"match":{"title":"red"}}}`),
		func(r *api.SearchResp) bool { return r.Hits.Hits[0].Explanation.Value > 0 })
	call("Search sort", search(`{"size":2,"sort":[{"price":"asc"}],"search_after":[15]}`),
		func(r *api.SearchResp) bool { return r.Hits.Hits[0].ID == "1" })
	call("MSearch", func() (*api.MSearchResp, error) {
		return client.MSearch(ctx, api.MSearchReq{Indices: []string{index}, Body: text("{}\n{\"query\":{\"term\":{\"brand\":\"Ardo\"}}}\n")})
	}, func(r *api.MSearchResp) bool { return r.Responses[0].Hits.Total.Value == 2 })
	call("Search with scroll, Scroll.Get, Scroll.Delete", func() (int, error) {
		first, err := client.Search(ctx, &api.SearchReq{Indices: []string{index}, Body: text(`{"size":4}`), Params: api.SearchParams{Scroll: time.Minute}})
		if err != nil {
			return 0, err
		}
		next, err := client.Scroll.Get(ctx, api.ScrollGetReq{ScrollID: *first.ScrollID, Params: api.ScrollGetParams{Scroll: time.Minute}})
		if err != nil {
			return 0, err
		}
		_, err = client.Scroll.Delete(ctx, api.ScrollDeleteReq{ScrollIDs: []string{*next.ScrollID}})
		return len(first.Hits.Hits) + len(next.Hits.Hits), err
	}, func(count int) bool { return count == 6 })
	call("PointInTime.Create, PointInTime.Delete", func() (int, error) {
		pit, err := client.PointInTime.Create(ctx, api.PointInTimeCreateReq{Indices: []string{index}, Params: api.PointInTimeCreateParams{KeepAlive: time.Minute}})
		if err != nil {
			return 0, err
		}
		found, err := client.Search(ctx, &api.SearchReq{Body: text(fmt.Sprintf(`{"pit":{"id":%q},"sort":["price"]}`, pit.PitID))})
		if err != nil {
			return 0, err
		}
		_, err = client.PointInTime.Delete(ctx, api.PointInTimeDeleteReq{PitID: []string{pit.PitID}})
		return found.Hits.Total.Value, err
	}, func(count int) bool { return count == 6 })
	call("Document.Explain", func() (*api.DocumentExplainResp, error) {
		return client.Document.Explain(ctx, api.DocumentExplainReq{Index: index, DocumentID: "1", Body: text(`{"query":{"match":{"title":"red"}}}`)})
	}, func(r *api.DocumentExplainResp) bool { return r.Matched })
	call("Indices.FieldCaps", func() (*api.IndicesFieldCapsResp, error) {
		return client.Indices.FieldCaps(ctx, api.IndicesFieldCapsReq{Indices: []string{index}, Params: api.IndicesFieldCapsParams{Fields: []string{"*"}}})
	}, func(r *api.IndicesFieldCapsResp) bool { return r.Fields["price"]["double"].Aggregatable })
	call("Termvectors", func() (*api.TermvectorsResp, error) {
		return client.Termvectors(ctx, api.TermvectorsReq{Index: index, DocumentID: "1", Body: text(`{"fields":["title"]}`)})
	}, func(r *api.TermvectorsResp) bool { return r.Found })
	call("Indices.Analyze", func() (*api.IndicesAnalyzeResp, error) {
		return client.Indices.Analyze(ctx, api.IndicesAnalyzeReq{Index: index, Body: api.IndicesAnalyzeBody{Field: "title", Text: []string{"Two Words"}}})
	}, func(r *api.IndicesAnalyzeResp) bool { return len(r.Tokens) == 2 })
	call("Indices.ValidateQuery", func() (*api.IndicesValidateQueryResp, error) {
		return client.Indices.ValidateQuery(ctx, api.IndicesValidateQueryReq{Indices: []string{index}, Body: text(`{"query":{"match_all":{}}}`)})
	}, func(r *api.IndicesValidateQueryResp) bool { return r.Valid })
	call("UpdateByQuery", func() (*api.UpdateByQueryResp, error) {
		return client.UpdateByQuery(ctx, api.UpdateByQueryReq{Indices: []string{index}, Params: api.UpdateByQueryParams{Refresh: &yes},
			Body: text(`{"query":{"term":{"brand":"Belm"}},"script":{"source":"ctx._source.sale = true"}}`)})
	}, func(r *api.UpdateByQueryResp) bool { return r.Updated == 2 })
	call("Reindex", func() (*api.ReindexResp, error) {
		return client.Reindex(ctx, api.ReindexReq{Body: text(`{"source":{"index":"products"},"dest":{"index":"copies"}}`), Params: api.ReindexParams{Refresh: &yes}})
	}, func(r *api.ReindexResp) bool { return r.Created == 6 })
	call("Document.DeleteByQuery", func() (*api.DocumentDeleteByQueryResp, error) {
		return client.Document.DeleteByQuery(ctx, api.DocumentDeleteByQueryReq{Indices: []string{"copies"}, Body: text(`{"query":{"range":{"price":{"lt":50}}}}`)})
	}, func(r *api.DocumentDeleteByQueryResp) bool { return r.Deleted == 2 })
	call("Indices.Mapping.Put", func() (*api.MappingPutResp, error) {
		return client.Indices.Mapping.Put(ctx, api.MappingPutReq{Indices: []string{index}, Body: text(`{"properties":{"color":{"type":"keyword"}}}`)})
	}, func(r *api.MappingPutResp) bool { return r.Acknowledged })
	call("Indices.Settings.Get", func() (*api.SettingsGetResp, error) {
		return client.Indices.Settings.Get(ctx, &api.SettingsGetReq{Indices: []string{index}})
	}, func(r *api.SettingsGetResp) bool { return len(r.GetIndices()) == 1 })
	call("Aliases", func() (*api.AliasesResp, error) {
		return client.Aliases(ctx, api.AliasesReq{Body: text(`{"actions":[{"add":{"index":"products","alias":"shop"}}]}`)})
	}, func(r *api.AliasesResp) bool { return r.Acknowledged })
	call("Indices.Alias.Get", func() (*api.AliasGetResp, error) {
		return client.Indices.Alias.Get(ctx, api.AliasGetReq{Alias: []string{"shop"}})
	}, func(r *api.AliasGetResp) bool { return len(r.GetIndices()) == 1 })
	call("IndexTemplate.Create", func() (*api.IndexTemplateCreateResp, error) {
		return client.IndexTemplate.Create(ctx, api.IndexTemplateCreateReq{IndexTemplate: "logs", Body: text(`{"index_patterns":["logs-*"]}`)})
	}, func(r *api.IndexTemplateCreateResp) bool { return r.Acknowledged })
	call("IndexTemplate.Get", func() (*api.IndexTemplateGetResp, error) { return client.IndexTemplate.Get(ctx, nil) },
		func(r *api.IndexTemplateGetResp) bool { return len(r.IndexTemplates) == 1 })
	call("Script.Put, SearchTemplate", func() (*api.SearchTemplateResp, error) {
		script := `{"script":{"lang":"mustache","source":"{\"query\":{\"term\":{\"brand\":\"{{brand}}\"}}}"}}`
		if _, err := client.Script.Put(ctx, api.ScriptPutReq{ScriptID: "by-brand", Body: text(script)}); err != nil {
			return nil, err
		}
		return client.SearchTemplate(ctx, api.SearchTemplateReq{Indices: []string{index}, Body: text(`{"id":"by-brand","params":{"brand":"Ardo"}}`)})
	}, func(r *api.SearchTemplateResp) bool { return r.Hits.Total.Value == 2 })
	call("Cat.Indices", func() (*api.CatIndicesResp, error) { return client.Cat.Indices(ctx, nil) },
		func(r *api.CatIndicesResp) bool { return len(r.Indices) == 2 })
	call("Cat.Health", func() (*api.CatHealthResp, error) { return client.Cat.Health(ctx, nil) },
		func(r *api.CatHealthResp) bool { return len(r.Health) == 1 })
	call("Cat.Shards", func() (*api.CatShardsResp, error) { return client.Cat.Shards(ctx, nil) },
		func(r *api.CatShardsResp) bool { return len(r.Shards) > 1 })
	call("Cluster.Health", func() (*api.ClusterHealthResp, error) { return client.Cluster.Health(ctx, nil) },
		func(r *api.ClusterHealthResp) bool { return r.Status != "red" })
	call("Cluster.Stats", func() (*api.ClusterStatsResp, error) { return client.Cluster.Stats(ctx, nil) },
		func(r *api.ClusterStatsResp) bool { return r.Indices.Count == 2 })
	call("Nodes.Stats", func() (*api.NodesStatsResp, error) { return client.Nodes.Stats(ctx, nil) },
		func(r *api.NodesStatsResp) bool { return len(r.Nodes) == 1 })
	call("Nodes.Info", func() (*api.NodesInfoResp, error) { return client.Nodes.Info(ctx, nil) },
		func(r *api.NodesInfoResp) bool { return len(r.Nodes) == 1 })
	call("Tasks.List", func() (*api.TasksListResp, error) { return client.Tasks.List(ctx, nil) },
		func(r *api.TasksListResp) bool { _, err := json.Marshal(r); return err == nil })
	call("Indices.Stats", func() (*api.IndicesStatsResp, error) { return client.Indices.Stats(ctx, nil) },
		func(r *api.IndicesStatsResp) bool { return r.All.Primaries.Docs.Count > 0 })
	call("Indices.Delete", func() (*api.IndicesDeleteResp, error) {
		return client.Indices.Delete(ctx, api.IndicesDeleteReq{Indices: []string{"copies"}})
	}, func(r *api.IndicesDeleteResp) bool { return r.Acknowledged })
}
