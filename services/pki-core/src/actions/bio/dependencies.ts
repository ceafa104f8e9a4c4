import type { Context } from '../../context.ts'
import type { FaceEngine } from '../../parts/bio/engine/face-engine.ts'

/** What every step of a biometric session needs. */
export interface BioDependencies {
  readonly context: Context
  readonly engine: FaceEngine
}
