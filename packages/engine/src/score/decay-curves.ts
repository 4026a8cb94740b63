// How a score falls with a distance, at `scale` to `decay`: the curves of Elasticsearch's decay functions.

/** The score at a distance. */
export type DecayCurve = (scale: number, decay: number) => (distance: number) => number;

export const gaussCurve: DecayCurve = (scale, decay) => {
  const width = (0.5 * scale ** 2) / Math.log(decay);
  return (distance) => Math.exp((0.5 * distance ** 2) / width);
};

export const expCurve: DecayCurve = (scale, decay) => {
  const rate = Math.log(decay) / scale;
  return (distance) => Math.exp(rate * distance);
};

export const linearCurve: DecayCurve = (scale, decay) => {
  const reach = scale / (1 - decay);
  return (distance) => Math.max(0, (reach - distance) / reach);
};
