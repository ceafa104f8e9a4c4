import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createSessionClient } from '@chancela/client/session-server'

const client = createSessionClient({
  baseUrl: process.env.SESSION_SERVER_URL ?? 'http://localhost:8081',
  apiKey: process.env.SESSION_SERVER_KEY ?? '',
})
const { sessionId } = await client.openSession({ cpf: '52998224725', pin: process.env.PIN ?? '' })

const names = ['contract.pdf', 'notes.txt', 'annex.pdf']
const documents = await Promise.all(names.map(async (fileName) => ({ fileName, document: await openAsBlob(fileName) })))

// The call succeeds even where single documents do not: every result says what became of its own.
const { results } = await client.signBatch({ sessionId, documents })
for (const result of results) {
  if (result.status === 'ERROR') {
    console.log(`${result.fileName}: ${result.error.code}`)
  } else {
    const { bytes } = await client.waitForDocument(result.signatureId)
    await writeFile(`batch.${result.fileName}`, bytes)
    console.log(`${result.fileName}: signed`)
  }
}
