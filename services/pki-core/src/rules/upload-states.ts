import type { MoveTable } from '@chancela/service-kernel/states'

/** States of an upload: parts arrive while it is open; what is complete never changes. */
export type UploadState = 'Open' | 'Complete'

export const uploadMoves = {
  complete: { from: ['Open'], to: 'Complete' },
} as const satisfies MoveTable<UploadState>
