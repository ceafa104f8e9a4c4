/**
 * The organization of the instance's administration: its applications administer all others (document-platform facts
 * 1.1).
 */
export const SYSTEM_ORGANIZATION = '00000000-0000-0000-0000-000000000001'
