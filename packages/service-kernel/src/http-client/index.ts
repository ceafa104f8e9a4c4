// Calls to the world outside: to which addresses they may go.
export { type AddressPolicy, type AddressPolicyOptions, addressPolicy } from './address-policy.ts'
export { AddressRefused, type GuardedConnectOptions, guardedConnect } from './guarded-connect.ts'
