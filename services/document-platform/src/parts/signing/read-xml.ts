import { EngineError } from '@chancela/signature-engine'
import { requireSignable } from '@chancela/signature-engine/xades'

/** Why bytes cannot be signed as XML; undefined when they can. */
export function readXml(bytes: Uint8Array): string | undefined {
  try {
    requireSignable(bytes)
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}
