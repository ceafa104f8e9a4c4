import { readFile, writeFile } from 'node:fs/promises'
import { createSessionClient } from '@chancela/client/session-server'

const client = createSessionClient({
  baseUrl: process.env.SESSION_SERVER_URL ?? 'http://localhost:8081',
  apiKey: process.env.SESSION_SERVER_KEY ?? '', // from the console of the session server
})

// The certificate that this PIN opens signs everything under the session.
const { sessionId } = await client.openSession({ cpf: '52998224725', pin: process.env.PIN ?? '' })

const certificate = await client.certificateInfo(sessionId)
console.log(`${certificate.subjectName} signs, until ${certificate.notAfter}`)

const { signatureId } = await client.sign({
  sessionId,
  document: await readFile('contract.pdf'), // or a Blob, or a stream
  fileName: 'contract.pdf',
})

const signed = await client.waitForDocument(signatureId)
await writeFile('contract.signed.pdf', signed.bytes)

await client.deactivate(sessionId) // the server forgets the PIN at once
