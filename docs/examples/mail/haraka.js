// A plugin for Haraka, which runs once the whole mail has arrived, before the mail is accepted.
const { refusalOf } = require("./check-mail.mjs");

exports.hook_data_post = (next, connection) => {
  connection.transaction.message_stream.get_data((mail) => {
    refusalOf(mail).then(
      (refusal) => {
        if (refusal === null) next();
        else next(refusal.code === 550 ? DENY : DENYSOFT, refusal.text);
      },
      () => next(DENYSOFT),
    );
  });
};
