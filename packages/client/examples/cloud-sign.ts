import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { createHubClient, isHubError, returnedSession } from '@chancela/client/cloud-hub'

const hub = createHubClient({
  baseUrl: process.env.CLOUD_HUB_URL ?? 'http://localhost:8082',
  apiKey: process.env.CLOUD_HUB_KEY ?? '', // from the console of the hub
})
const port = Number(process.env.PORT ?? 3000)
const redirectUri = `http://localhost:${port}/return` // registered for the key, in the console, too

// What is signed: the digest of a document here, the one of its signed attributes in a signature of a format.
const hash = createHash('sha256').update('I owe you ten reais.').digest()

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', redirectUri)
  if (pathname === '/') {
    // The user chooses the provider on a page of the hub, and allows one signature at the provider's.
    const { chooserUrl } = await hub.createChooser({ redirectUri, identifier: '52998224725' })
    response.writeHead(303, { Location: chooserUrl }).end()
  } else if (pathname === '/return') {
    response.end(await signedWith(request.url ?? '/'))
    server.close()
  } else response.writeHead(404).end()
})
server.listen(port, () => console.log(`open http://localhost:${port}/`))

async function signedWith(url: string): Promise<string> {
  const { session, error } = returnedSession(url)
  if (error !== undefined) return `Nothing was signed: ${error}`
  try {
    // Compare the CPF in it with that of the user before you sign: who came back may be somebody else.
    const certificate = await hub.certificate(session)
    const { signature } = await hub.signHash({ session, hash, digestAlgorithm: 'SHA-256' })
    return `${certificate.bytes.length} bytes of certificate, ${signature.length} bytes of signature`
  } catch (error) {
    if (isHubError(error, 'SessionExpired')) return 'That took too long: begin again.'
    if (isHubError(error, 'SessionInvalidOrAlreadyUsed')) return 'This authorization was used: begin again.'
    if (isHubError(error, 'ProviderTimeout')) return 'The provider may have signed, or not: look there first.'
    throw error
  }
}
