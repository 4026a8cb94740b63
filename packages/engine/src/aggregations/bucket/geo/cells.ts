// The cells of grids over the globe: of geohashes, and of map tiles (Web Mercator). A cell is two whole numbers
// that sort as the peer sorts cells.

import { GEOHASH, latKey, lonKey } from '../../../mapping/geo/geo-points.ts';

/** A grid of one precision. */
export interface Cells {
  /** The numbers of the cell of the last point, set by `locate`. */
  hi: number;
  lo: number;
  locate(lat: number, lon: number): void;
  /** The key of a cell. */
  text(hi: number, lo: number): string;
}

/** Characters of a geohash in each half of its number: 30 bits. */
const HALF = 6;

/** The sign of the peer's numbers of twelve characters, by which western cells sort as the greater ones. */
const SIGN = 1 << 29;

/** Cells by the first characters of their geohash. */
export function geohashCells(characters: number): Cells {
  const sign = characters === 2 * HALF ? SIGN : 0;
  const cells: Cells = {
    hi: 0,
    lo: 0,
    locate(lat, lon) {
      const y = latKey(lat);
      const x = (lonKey(lon) ^ 0x80000000) >>> 0;
      cells.hi = interleave(x, y, 0, Math.min(characters, HALF) * 5) ^ sign;
      cells.lo = interleave(x, y, HALF * 5, characters * 5);
    },
    text(hi, lo) {
      let key = '';
      for (let i = Math.min(characters, HALF) - 1; i >= 0; i--)
        key += GEOHASH[((hi ^ sign) >>> (5 * i)) & 31]!;
      for (let i = characters - HALF - 1; i >= 0; i--) key += GEOHASH[(lo >>> (5 * i)) & 31]!;
      return key;
    },
  };
  return cells;
}

/** Bits [from, to) of the numbers of a geohash: those of the longitude and the latitude in turn, highest first. */
function interleave(x: number, y: number, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i++) {
    const half = (i & 1) === 0 ? x : y;
    bits = (bits << 1) | ((half >>> (31 - (i >> 1))) & 1);
  }
  return bits >>> 0;
}

/** Cells by the tiles of a zoom level. */
export function tileCells(zoom: number): Cells {
  const tiles = 2 ** zoom;
  const within = (tile: number): number => Math.min(Math.max(Math.floor(tile), 0), tiles - 1);
  const cells: Cells = {
    hi: 0,
    lo: 0,
    locate(lat, lon) {
      const sine = Math.sin((lat * Math.PI) / 180);
      cells.hi = within(((lon + 180) / 360) * tiles);
      cells.lo = within((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles);
    },
    text: (hi, lo) => `${zoom}/${hi}/${lo}`,
  };
  return cells;
}
