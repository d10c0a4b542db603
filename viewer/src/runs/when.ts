/** When a graph runs: what the fields of a schedule say as an expression, and an expression in words. */
export type Often = "daily" | "weekly" | "once" | "cron";

export interface Times {
  often: Often;
  /** Hours and minutes: 08:00. */
  time: string;
  day: string;
  /** A date with a time, as a field of a browser has it: 2027-01-31T08:00. */
  moment: string;
  cron: string;
}

export const DAYS: Record<string, string> = {
  MON: "Monday",
  TUE: "Tuesday",
  WED: "Wednesday",
  THU: "Thursday",
  FRI: "Friday",
  SAT: "Saturday",
  SUN: "Sunday",
};

const DAILY = /^cron\((\d+) (\d+) \* \* \? \*\)$/;
const WEEKLY = /^cron\((\d+) (\d+) \? \* ([A-Z]{3}) \*\)$/;
const ONCE = /^at\((\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?\)$/;

/** Return the times as the service takes them; empty where a field is. */
export function expressionOf({ often, time, day, moment, cron }: Times): string {
  if (often === "once") return moment && `at(${moment.length === 16 ? `${moment}:00` : moment})`;
  if (often === "cron") return cron.trim();
  if (!time) return "";
  const [hour, minute] = time.split(":").map(Number);
  return often === "daily" ? `cron(${minute} ${hour} * * ? *)` : `cron(${minute} ${hour} ? * ${day} *)`;
}

/** Return *expression* in words where it is one that the fields make, else as it is. */
export function inWords(expression: string): string {
  const daily = DAILY.exec(expression);
  if (daily) return `every day at ${clock(daily)}`;
  const weekly = WEEKLY.exec(expression);
  const day = weekly && DAYS[weekly[3] ?? ""];
  if (day) return `every ${day} at ${clock(weekly)}`;
  const once = ONCE.exec(expression);
  return once ? `once, on ${once[1]} at ${once[2]}` : expression;
}

function clock([, minute = "", hour = ""]: RegExpExecArray): string {
  return `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
}
