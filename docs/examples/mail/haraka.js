// A plugin for Haraka, which runs once the whole email has arrived, before the email is accepted.
const { HEADERS, judge, stop } = require("./check-mail.mjs");

exports.hook_data_post = (next, { transaction }) => {
  transaction.message_stream.get_data((mail) => {
    judge(mail).then(
      ({ refusal, headers }) => {
        for (const name of HEADERS) transaction.remove_header(name);
        for (const [name, value] of headers) transaction.add_header(name, value);
        if (refusal === null) next();
        else next(refusal.code === 550 ? DENY : DENYSOFT, refusal.text);
      },
      () => next(DENYSOFT),
    );
  });
};

exports.shutdown = () => {
  stop();
};
