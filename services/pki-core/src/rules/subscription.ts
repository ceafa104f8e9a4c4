/** The subscription of applications that the operator makes at the machine; every instance has it. */
export const DEFAULT_SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'
