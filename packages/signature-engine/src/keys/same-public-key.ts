import type { KeyObject } from 'node:crypto'

/**
 * Whether two public keys are equal. Kind and size are compared first: `equals` on keys of different kinds leaves an
 * error in OpenSSL's queue, and the next import of a key, anywhere in the process, fails with it.
 */
export const samePublicKey = (one: KeyObject, other: KeyObject): boolean =>
  shapeOf(one) === shapeOf(other) && one.equals(other)

function shapeOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {}
  return `${asymmetricKeyType} ${modulusLength} ${namedCurve}`
}
