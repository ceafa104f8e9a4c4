import { pkiOfToday } from '@chancela/testkit/test-files'
import { type DemoSigners, signersUnder } from './demo-signers.ts'

/** Signers of every kind under the PKI that the test files of a process share. */
export const demoSignersOfToday = async (): Promise<DemoSigners> => signersUnder(await pkiOfToday())
