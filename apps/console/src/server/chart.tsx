// A small chart of one figure over the last minutes.

import 'uplot/dist/uPlot.min.css';
import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { FigurePoint } from './figures.ts';

interface ChartProps {
  readonly title: string;
  readonly points: readonly FigurePoint[];
  readonly of: 'requestRate' | 'commitRate' | 'cpu';
}

const HEIGHT_PX = 140;

const LEAST_SECONDS = 90;

export function Chart({ title, points, of }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  useEffect(() => {
    const element = box.current!;
    // The style sheet gives the box the colours of its parts; a canvas knows no variables.
    const style = getComputedStyle(element);
    const axis = {
      stroke: () => style.color,
      grid: { stroke: () => style.borderTopColor, width: 1 },
      ticks: { show: false },
    };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { show: false },
        axes: [
          { ...axis, values: (_plot, seconds) => seconds.map(clockText), space: 80, size: 26 },
          { ...axis, size: 44 },
        ],
        padding: [8, 26, 0, 0],
        // From the start a window of some width, so that the curve grows instead of shrinking.
        scales: {
          x: { range: (_plot, low, high) => [Math.min(low, high - LEAST_SECONDS), high] },
          y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] },
        },
        series: [
          {},
          {
            points: { show: false },
            stroke: () => style.outlineColor,
            width: 2,
            fill: () => style.backgroundColor,
          },
        ],
      },
      [[], []],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([points.map(({ time }) => time), points.map((point) => point[of])]);
  }, [points, of]);
  const value = points.at(-1)?.[of];
  return (
    <figure className="chart">
      <figcaption>
        {title} <b>{value === undefined ? '…' : value.toFixed(value < 10 ? 1 : 0)}</b>
      </figcaption>
      <div className="plot" ref={box} aria-hidden="true" />
    </figure>
  );
}

function clockText(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleTimeString('en-GB');
}
