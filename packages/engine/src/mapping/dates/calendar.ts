// The proleptic Gregorian calendar on plain integers (Howard Hinnant's days_from_civil).

export const DAY: number = 86_400_000;

/** Days since 1970-01-01. Month is 1 to 12. O(1). */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yoe = y - era * 400;
  const doy = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yoe * 365 + Math.floor(yoe / 4) - Math.floor(yoe / 100) + doy - 719468;
}

/** A date in the calendar. */
interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** The date of a day number. O(1). */
export function civilOf(days: number): CivilDate {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const doe = z - era * 146097;
  const yoe = Math.floor(
    (doe - Math.floor(doe / 1460) + Math.floor(doe / 36524) - Math.floor(doe / 146096)) / 365,
  );
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return {
    year: yoe + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: doy - Math.floor((153 * mp + 2) / 5) + 1,
  };
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : LENGTHS[month - 1]!;
}

/** 1 (Monday) to 7 (Sunday), as ISO counts. */
export function weekdayOf(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

/** Day number of the Monday of ISO week `week` of `weekYear`. */
export function weekStart(weekYear: number, week: number): number {
  const fourth = daysOf(weekYear, 1, 4);
  return fourth - (weekdayOf(fourth) - 1) + (week - 1) * 7;
}

/** ISO week-based year and week of a day. */
export function weekOf(days: number): { year: number; week: number } {
  const thursday = days - (weekdayOf(days) - 1) + 3;
  const { year } = civilOf(thursday);
  return { year, week: Math.floor((thursday - daysOf(year, 1, 1)) / 7) + 1 };
}
