import Type from 'typebox'

/** A setting that is on or off. */
export const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

/** A setting that is a whole number. */
export const count = (range: { minimum: number; maximum: number; default: number }, description: string) =>
  Type.Integer({ ...range, description })
