import Type from 'typebox'

/** A setting that is on or off. */
export const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

/** A setting that is a whole number. */
export const count = (range: { minimum: number; maximum: number; default: number }, description: string) =>
  Type.Integer({ ...range, description })

/** The limits of a rate-limit policy, under `RateLimiting`. */
export const ratePolicy = (permits: number, seconds: number, what: string) =>
  Type.Object({
    PermitsPerWindow: count({ minimum: 1, maximum: 1_000_000, default: permits }, `Calls of one address: ${what}.`),
    WindowSeconds: count({ minimum: 1, maximum: 86_400, default: seconds }, 'Length of the window, in seconds.'),
  })

/** Ports that an address policy takes besides the usual. */
export const allowedPorts = Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
  default: [],
  description:
    'Ports that may be sent to although they are known as those of other services (mail, databases, queues, container engines …), or are below 1024. 80 and 443 may, and so may every port of AllowedHosts.',
})
