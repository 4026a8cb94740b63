// Points on the globe: their 64-bit keys in columns, and geohashes (Niemeyer 2008). A key is the latitude and the
// longitude as 32-bit fractions of their range, rounded down, as Lucene stores them: exact to about 1 cm.

/** Degrees: latitude in [-90, 90], longitude in [-180, 180]. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const STEPS = 2 ** 32;

/** The high half of a key: the latitude. */
export function latKey(lat: number): number {
  return stepOf(lat / (180 / STEPS));
}

/** The low half of a key: the longitude, whose values below 0 come last, as in a signed number's low half. */
export function lonKey(lon: number): number {
  return (stepOf(lon / (360 / STEPS)) ^ 0x80000000) >>> 0;
}

function stepOf(step: number): number {
  return Math.min(Math.floor(step) + STEPS / 2, STEPS - 1);
}

export function latOf(hi: number): number {
  return (hi - STEPS / 2) * (180 / STEPS);
}

export function lonOf(lo: number): number {
  return (lo | 0) * (360 / STEPS);
}

/** The characters of a geohash. */
export const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The geohash of a point. */
export function geohashOf(lat: number, lon: number, characters: number): string {
  const y = latKey(lat);
  const x = (lonKey(lon) ^ 0x80000000) >>> 0;
  let hash = '';
  for (let character = 0; character < characters; character++) {
    let bits = 0;
    for (let i = 5 * character; i < 5 * character + 5; i++)
      bits = (bits << 1) | (((i & 1 ? y : x) >>> (31 - (i >> 1))) & 1);
    hash += GEOHASH[bits]!;
  }
  return hash;
}

/** The geohashes around one, of the same length; none beyond the poles. */
export function geohashesAround(hash: string): string[] {
  const { lat, lon } = geohashCorner(hash);
  const height = 180 / 2 ** Math.floor((5 * hash.length) / 2);
  const width = 360 / 2 ** Math.ceil((5 * hash.length) / 2);
  const found = new Set<string>();
  for (const y of [-1, 0, 1]) {
    for (const x of [-1, 0, 1]) {
      const middle = lat + (y + 0.5) * height;
      if (middle < -90 || middle > 90 || (x === 0 && y === 0)) continue;
      const across = ((lon + (x + 0.5) * width + 540) % 360) - 180;
      found.add(geohashOf(middle, across, hash.length));
    }
  }
  return [...found];
}

/** Reads the bits of a geohash, longitude first; returns the south-western corner of its cell. */
export function geohashCorner(hash: string): GeoPoint {
  let [lat, lon] = [-90, -180];
  let [height, width] = [180, 360];
  let isLon = true;
  for (const character of hash) {
    const bits = GEOHASH.indexOf(character);
    for (let bit = 4; bit >= 0; bit--) {
      const isUpper = ((bits >> bit) & 1) === 1;
      if (isLon) {
        width /= 2;
        if (isUpper) lon += width;
      } else {
        height /= 2;
        if (isUpper) lat += height;
      }
      isLon = !isLon;
    }
  }
  return { lat, lon };
}
