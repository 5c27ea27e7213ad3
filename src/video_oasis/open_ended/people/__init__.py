"""What people say of a sample of open answers, without knowing who gave or judged them.

``sampling`` chooses the answers, ``files`` keeps which were chosen, and ``grades`` what people say
of them. The page on which they say it is ``review.grading``.
"""
