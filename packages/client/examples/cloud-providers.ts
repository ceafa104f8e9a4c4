import { createHubClient } from '@chancela/client/cloud-hub'

const hub = createHubClient({
  baseUrl: process.env.CLOUD_HUB_URL ?? 'http://localhost:8082',
  apiKey: process.env.CLOUD_HUB_KEY ?? '',
})
const holder = { identifier: '52998224725' }

// Who holds a certificate of this person? Providers that do not answer are left out.
const { services } = await hub.services(holder)
for (const { serviceName, provider } of services) {
  const { discoveryAvailable, certificateFound } = await hub.availability(serviceName, holder)
  console.log(`${serviceName} (${provider}): ${discoveryAvailable ? certificateFound : 'does not answer'}`)
}

// One authorization for many signatures, at a provider of your choice.
const [first] = services
if (first) {
  const { authUrl } = await hub.createServiceSession(first.serviceName, {
    ...holder,
    redirectUri: process.env.REDIRECT_URI ?? 'http://localhost:3000/return',
    type: 'MultiSignature',
    lifetimeInSeconds: 600,
  })
  console.log(`send the user to ${new URL(authUrl).origin}`)
}
