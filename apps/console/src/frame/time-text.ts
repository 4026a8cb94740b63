// Times as people write them.

/** The time of today, the date of all others. `iso` is in ISO 8601. */
export function timeText(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday
    ? time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
