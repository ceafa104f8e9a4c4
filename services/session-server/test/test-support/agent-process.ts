// An agent in a process of its own. Run by `startAgentProcess`; the plan comes as a message, and so do pulled tokens.
import { noticeTokenChange } from '@chancela/testkit/soft-token'
import { startAgent } from '@chancela/workstation-agent'
import type { AgentPlan } from './agent-of-proof.ts'

process.once('message', async ({ home }: AgentPlan) => {
  await startAgent({
    home,
    terminal: undefined,
    pollMilliseconds: 100,
    backOff: { first: 50, longest: 500 },
    log: (said) => process.send!({ said }),
    openBrowser: async (page) => process.send!({ page }),
  })
  process.on('message', ({ moved }: { moved: string }) => void noticeTokenChange(moved))
})

process.send!({ loaded: true })
