/** Roles that are given to users, the widest first. */
export const userRoles = ['administrator', 'manager', 'operator'] as const
