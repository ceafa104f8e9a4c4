import { SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import type { Tokens } from '../parts/tokens/tokens.ts'

/** Looks whether the server's own tokens are there, and what is on them. */
export const lookAtTokens = (context: Context, tokens: Tokens): Worker =>
  sweeper(
    context,
    { name: 'tokens of the server', every: context.settings.ServerTokens.LookSeconds * SECOND },
    async () => {
      await tokens.look()
      return false
    },
  )
