import type { Context } from '../../../context.ts'
import type { FaceEngine } from './face-engine.ts'
import { ThreadedEngine } from './threaded-engine.ts'

/** The engine of the instance; its threads start with the first frame and end with the service. */
export function openEngine({ settings, closing }: Pick<Context, 'settings' | 'closing'>): FaceEngine {
  const { EngineThreads, EngineQueue, EngineMemoryMb, EngineSeconds } = settings.Biometrics
  const engine = new ThreadedEngine({
    threads: EngineThreads,
    maxQueued: EngineQueue,
    memoryMb: EngineMemoryMb,
    seconds: EngineSeconds,
  })
  closing.add('the face engine', () => engine.stop())
  return engine
}
