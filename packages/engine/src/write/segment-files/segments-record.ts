// The record of an index's segments in the catalog: their metas and figures, and how far they reach.

import type { JsonObject } from '../../json/value.ts';
import type { SegmentMeta } from './segment-store.ts';

/** The catalog's document of kind 'segments'. */
export interface SegmentsRecord {
  readonly watermark: number;
  readonly sealedSeqNo: number;
  readonly nextSeqNo: number;
  readonly segments: readonly SegmentMeta[];
}

/** The record of an index without segments, which the catalog does not have. */
export const NO_SEGMENTS: SegmentsRecord = { watermark: 0, sealedSeqNo: -1, nextSeqNo: 0, segments: [] };

/** The record of an index whose segments have these metas. */
export function segmentsRecord(
  { watermark, sealedSeqNo, nextSeqNo }: Omit<SegmentsRecord, 'segments'>,
  segments: readonly SegmentMeta[],
): SegmentsRecord {
  return { watermark, sealedSeqNo, nextSeqNo, segments };
}

/** The record as the catalog keeps it. */
export function encodeSegments(record: SegmentsRecord): JsonObject {
  return { ...record, segments: record.segments.map((meta) => ({ ...meta })) };
}
