import type { WalkView } from '@chancela/demo/contract'
import { sampleSuite } from './sample-suite.ts'

/** A walk whose document was just sent: the e-mail has not arrived yet. */
export const sampleWalk = (changes: Partial<WalkView> = {}): WalkView => ({
  id: '0199a0f2-7c3e-7d11-9f39-1a2b3c4d5e6f',
  documentName: 'Sample contract',
  sentAt: '2026-03-02T12:01:00.000Z',
  status: 'Pending',
  signer: sampleSuite().holders[0]!,
  hasCloud: true,
  signUrl: 'http://localhost:8085/document/key/KEY/sign?ticket=t',
  validateUrl: 'http://localhost:8085/validate/KEY',
  ...changes,
})

/** The same when the e-mail is there. */
export const arrivedWalk = (changes: Partial<WalkView> = {}): WalkView =>
  sampleWalk({
    letter: {
      subject: 'Signature pending: Sample contract',
      to: 'maria.souza@example.com',
      receivedAt: '2026-03-02T12:01:02.000Z',
      url: 'mail/1',
    },
    ...changes,
  })
