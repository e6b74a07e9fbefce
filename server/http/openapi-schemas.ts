const text = (description: string) => ({ type: 'string', description }) as const

/** What answers and refusals of an API have in common. */
export const sharedSchemas = {
  Envelope: {
    type: 'object',
    description: 'What every answer of `/v1` with content is wrapped in.',
    required: ['request_id', 'lease_id', 'renewable', 'lease_duration', 'data', 'wrap_info', 'warnings', 'auth'],
    properties: {
      request_id: text('Names the request in log and audit records.'),
      lease_id: text('The lease of what was handed out; empty without one.'),
      renewable: { type: 'boolean', description: 'Whether the lease can be renewed.' },
      lease_duration: { type: 'integer', description: 'Seconds of the lease; 0 without one.' },
      data: { type: 'object', description: 'What was asked for; empty where the answer is in `auth`.' },
      wrap_info: { type: ['object', 'null'], description: 'The token that the answer is behind, where it is wrapped.' },
      warnings: { type: ['array', 'null'], items: { type: 'string' }, description: 'What the caller should know.' },
      auth: {
        type: ['object', 'null'],
        description: 'The token that a login or a token call hands out.',
        properties: {
          client_token: text('The token.'),
          accessor: text('Names the token without giving access.'),
          policies: { type: 'array', items: { type: 'string' }, description: 'What decides about its requests.' },
          lease_duration: { type: 'integer', description: 'Seconds until it ends.' },
          renewable: { type: 'boolean', description: 'Whether it can be renewed.' },
        },
      },
      mount_type: text('The kind of mount that answered.'),
    },
  },
  Refusal: {
    type: 'object',
    description: 'What refusals of `/v1` answer.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: { type: 'string' },
        description: 'What is wrong; empty where nothing was found.',
      },
      data: { type: 'object', description: 'Facts about a certificate that was refused, where that is switched on.' },
    },
  },
  Errors: {
    type: 'object',
    description: 'What refusals of `/api/v2` answer: every fault of a document at once.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'title', 'detail'],
          properties: {
            status: text('The status of the answer.'),
            title: text('The class of the fault, in words that stay.'),
            detail: text('What is wrong, for people.'),
            code: text('What is wrong, for programs.'),
            source: {
              type: 'object',
              description: 'Where it is wrong.',
              properties: {
                pointer: text('A JSON pointer into the document.'),
                parameter: text('The name of a query parameter.'),
              },
            },
          },
        },
      },
    },
  },
} as const
