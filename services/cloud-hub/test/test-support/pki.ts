// One PKI and one clock for the tests, reset for every file, and the holders whose certificates they use.
import { pkiOfFiles } from '@chancela/testkit/test-files'

export const running = await pkiOfFiles('2026-11-16T12:00:00.000Z')
export const { clock } = running
