// The generator uses the compiler's API, which TypeScript 7 does not have.
import { registerHooks } from 'node:module'

registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-6' : name, context) })
