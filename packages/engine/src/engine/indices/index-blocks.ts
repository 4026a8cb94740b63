// What settings forbid to do to an index (`index.blocks.*`): the peer's ClusterBlocks with their number, text
// and status.

import type { IndexInfo } from '../../api.ts';
import { EngineError } from '../../errors.ts';

/** What can be done to an index. */
export type BlockLevel = 'read' | 'write' | 'describe' | 'change' | 'delete';

interface BlockOf {
  readonly setting: string;
  readonly says: string;
  readonly status: number;
  readonly levels: readonly BlockLevel[];
}

const BLOCKS: readonly BlockOf[] = [
  {
    setting: 'index.blocks.read_only',
    says: 'FORBIDDEN/5/index read-only (api)',
    status: 403,
    levels: ['write', 'change', 'delete'],
  },
  { setting: 'index.blocks.read', says: 'FORBIDDEN/7/index read (api)', status: 403, levels: ['read'] },
  { setting: 'index.blocks.write', says: 'FORBIDDEN/8/index write (api)', status: 403, levels: ['write'] },
  {
    setting: 'index.blocks.metadata',
    says: 'FORBIDDEN/9/index metadata (api)',
    status: 403,
    levels: ['describe', 'change', 'delete'],
  },
  {
    setting: 'index.blocks.read_only_allow_delete',
    says: 'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    status: 429,
    levels: ['write', 'change'],
  },
];

/** Memo of blocks by the settings object, which is replaced when settings change. */
const known = new WeakMap<IndexInfo['settings'], readonly BlockOf[]>();

function blocksOf({ settings }: IndexInfo): readonly BlockOf[] {
  let blocks = known.get(settings);
  if (blocks === undefined)
    known.set(settings, (blocks = BLOCKS.filter((one) => settings[one.setting] === 'true')));
  return blocks;
}

/** Whether an operation of this level is blocked. */
export function isBlocked(info: IndexInfo, level: BlockLevel): boolean {
  const blocks = blocksOf(info);
  return blocks.length > 0 && blocks.some(({ levels }) => levels.includes(level));
}

/** Throws the peer's `cluster_block_exception` if an operation of this level is blocked. */
export function refuseBlocked(info: IndexInfo, level: BlockLevel): void {
  // On the path of every search, and hardly any index has a block.
  if (!isBlocked(info, level)) return;
  const blocks = blocksOf(info).filter(({ levels }) => levels.includes(level));
  const says = blocks.map((each) => `[${each.says}];`).join('');
  const status = Math.max(...blocks.map((each) => each.status));
  throw new EngineError('cluster_block_exception', `index [${info.name}] blocked by: ${says}`, {
    status,
    details: { index: info.name, index_uuid: info.uuid },
  });
}

/** Block settings that may be changed although the index is blocked for changes. */
const LIFTABLE = ['index.blocks.read_only', 'index.blocks.read_only_allow_delete'];
const LIFTABLE_ALONE = 'index.blocks.metadata';

/**
 * Throws if settings may not be changed. Settings that block changes may be changed, or no block could be
 * lifted.
 */
export function refuseSettings(info: IndexInfo, settings: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(settings);
  if (keys.some((key) => LIFTABLE.includes(key)) || (keys.length === 1 && keys[0] === LIFTABLE_ALONE)) return;
  refuseBlocked(info, 'change');
}
