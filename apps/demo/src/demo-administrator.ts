/** Who looks after the consoles of the demo. */
export const administrator = {
  name: 'Helena Prado',
  email: 'helena@hospital.example',
  password: 'senha-da-helena',
} as const

/** What `data/demo.json` tells of a console. */
export const consoleAccess = { userEmail: administrator.email, userPassword: administrator.password }
