import { serve } from '@chancela/service-kernel/http'
import { CONTRACT_VERSION, readSystemInfo } from '../contract/system.ts'
import type { CoreApp } from './core-app.ts'

/** What clients ask before they choose their paths. */
export function serveSystem(app: CoreApp): void {
  serve(app, readSystemInfo, ({ now }) => ({
    productName: 'Chancela PKI core',
    productVersion: CONTRACT_VERSION,
    spaVersion: CONTRACT_VERSION,
    timestamp: now.toISOString(),
  }))
}
