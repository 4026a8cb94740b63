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

/** The record of an index whose segments have these metas. */
export function encodeSegments(
  { watermark, sealedSeqNo, nextSeqNo }: Omit<SegmentsRecord, 'segments'>,
  metas: readonly SegmentMeta[],
): JsonObject {
  return { watermark, sealedSeqNo, nextSeqNo, segments: metas.map((meta) => ({ ...meta })) };
}
