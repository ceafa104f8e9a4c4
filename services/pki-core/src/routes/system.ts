import { routesOf, serve } from '@chancela/service-kernel/http'
import { CONTRACT_VERSION, readSystemInfo, readSystemManifest } from '../contract/system.ts'
import { cultures } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'

const productName = 'Chancela PKI core'

/** What clients ask before they choose their paths. */
export function serveSystem(app: CoreApp): void {
  serve(app, readSystemInfo, ({ now }) => ({
    productName,
    productVersion: CONTRACT_VERSION,
    spaVersion: CONTRACT_VERSION,
    timestamp: now.toISOString(),
  }))
  serve(app, readSystemManifest, () => ({
    productName,
    productVersion: CONTRACT_VERSION,
    cultures: [...cultures],
    features: featuresOf(app),
  }))
}

/** The tags of what is served: nobody has to keep a list of them. */
const featuresOf = (app: CoreApp): string[] =>
  [...new Set(routesOf(app).flatMap(({ route }) => route.tags ?? []))].toSorted()
