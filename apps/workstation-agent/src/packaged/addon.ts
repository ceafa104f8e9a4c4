// Stands in for the native part of pkcs11js.
import { readAsset } from './assets.ts'
import { cacheFolder, unpack } from './unpack.ts'

/** What `require` of the file would give. */
export function loadAddon(): unknown {
  const addon = { exports: {} }
  process.dlopen(addon, unpack(cacheFolder(), ADDON, readAsset(ADDON)))
  return addon.exports
}

const ADDON = 'pkcs11.node'
