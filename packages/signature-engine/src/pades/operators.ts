/** A number of a content stream: a thousandth of a point is finer than anything that is seen. */
export const number = (value: number): string => String(Math.round(value * 1000) / 1000)
