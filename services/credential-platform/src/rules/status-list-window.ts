/** Parts of its life after which a list is made anew: a fresh one always holds for three quarters of it. */
const PARTS = 4

/** From when to when a list holds that is made now. The same for everybody who makes it in the same part. */
export function listWindow(now: Date, lifeMs: number): { readonly validFrom: Date; readonly validUntil: Date } {
  const part = lifeMs / PARTS
  const start = Math.floor(now.getTime() / part) * part
  return { validFrom: new Date(start), validUntil: new Date(start + lifeMs) }
}
