import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { startDocumentsService } from '../documents/documents-service.ts'
import { LARGE_ORGANIZATION } from '../documents/many-documents.ts'
import { type SessionsService, startSessionsService } from './sessions-service.ts'

/** A session server and the document platform it signs at, each in a process of its own. */
export interface SigningPair {
  readonly sessions: SessionsService
  readonly pids: readonly number[]
  remove(): Promise<void>
}

export async function openSigningPair(
  { folder }: BenchScene,
  world: BatchWorld,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<SigningPair> {
  const signer = await startDocumentsService({
    on: folder,
    roots: world.files.roots,
    organizationId: LARGE_ORGANIZATION,
  })
  const sessions = await startSessionsService(world, { on: folder, signer, settings })
  return {
    sessions,
    pids: [sessions.pid, signer.pid],
    remove: async () => {
      await sessions.remove()
      await signer.remove()
    },
  }
}
